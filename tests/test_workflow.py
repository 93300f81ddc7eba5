"""The workflow for users: what may run where, and with which rights."""

import re

import pytest
import yaml


@pytest.fixture(scope="module")
def workflow(root) -> dict:
    return yaml.safe_load((root / ".github" / "workflows" / "docs.yml").read_text("utf-8"))


def test_every_action_is_pinned_to_a_commit(root):
    for path in (root / ".github" / "workflows").glob("*.yml"):
        for line in path.read_text("utf-8").split("\n"):
            if "uses:" in line:
                assert re.search(r"uses: [\w/-]+@[0-9a-f]{40} # v\d+(\.\d+)*$", line), line


def test_rights_are_read_only_but_where_a_job_needs_more(workflow):
    assert workflow["permissions"] == {"contents": "read"}
    assert {name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job} == {
        "deploy": {"pages": "write", "id-token": "write"}
    }


def test_no_checkout_keeps_its_credentials(workflow):
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_a_pull_request_cannot_reach_a_machine_of_ones_own(workflow):
    triggers = workflow[True]  # YAML reads the key `on` as a boolean.
    assert "pull_request_target" not in triggers
    for name, job in workflow["jobs"].items():
        if "self-hosted" in job["runs-on"]:
            assert job["if"] == "github.event_name == 'workflow_dispatch' && inputs.recapture", name
            assert job["environment"] == "gpu"


def test_only_main_is_deployed_and_only_after_the_check(workflow):
    deploy = workflow["jobs"]["deploy"]
    assert deploy["needs"] == "check"
    assert deploy["if"] == "github.ref == 'refs/heads/main' && github.event_name == 'push'"


def test_everything_that_is_installed_has_one_exact_version(root):
    for line in (root / "requirements.txt").read_text("utf-8").split("\n"):
        requirement = line.split("#")[0].split(";")[0].strip()
        assert not requirement or re.fullmatch(r"[a-z0-9-]+==\d+(\.\d+)*", requirement), line
