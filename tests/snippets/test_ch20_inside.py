"""Chapter 20: no kernel touches a byte outside of the tensors that it was given, at sizes that fill no tile."""

import numpy as np
import pytest
import torch
from triton.runtime import interpreter

from ch20_fused.add_rms_norm import add_rms_norm, add_rms_norm_backward
from ch20_fused.int4_matmul import few_rows, int4_backward, many_rows, quantize
from ch20_fused.linear_cross_entropy import loss_gradients, scale_
from ch20_fused.rope import rope_into, rope_table
from ch20_fused.swiglu import swiglu, swiglu_backward

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")


@pytest.fixture(autouse=True)
def inside(monkeypatch):
    """Fails a test whose kernel reads or writes outside; and one that none was watched in."""
    builder, given, looked = interpreter.interpreter_builder, [], []
    prepare = interpreter.GridExecutor._init_args_hst

    def prepared(executor, args, kwargs):
        storages = [t.untyped_storage() for t in (*args, *kwargs.values()) if isinstance(t, torch.Tensor)]
        given[:] = [(s.data_ptr(), s.data_ptr() + s.nbytes()) for s in storages]
        return prepare(executor, args, kwargs)

    def watched(access):
        def watch(pointers, *rest):
            mask = rest[1] if access.__name__ == "create_masked_store" else rest[0]
            wanted = np.broadcast_to(mask.data.astype(bool), pointers.data.shape)
            first = pointers.data[wanted].astype(np.uint64)
            last = first + np.uint64(max(pointers.get_element_ty().primitive_bitwidth // 8, 1))
            looked.append(first.size)
            within = np.zeros(first.shape, bool)
            for start, end in given:
                within |= (first >= start) & (last <= end)
            assert within.all(), f"{access.__name__}: {int((~within).sum())} lanes outside"
            return access(pointers, *rest)

        return watch

    monkeypatch.setattr(interpreter.GridExecutor, "_init_args_hst", prepared)
    for name in ("create_masked_load", "create_masked_store"):
        monkeypatch.setattr(builder, name, watched(getattr(builder, name)))
    yield looked
    assert sum(looked) > 0


def normal(*shape, dtype=torch.float32):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0)).to(dtype)


@pytest.mark.parametrize("rows,cols", [(1, 1), (5, 7), (130, 17), (3, 2049)])
def test_rows(rows, cols):
    x, stream, grad = normal(3, rows, cols).unbind()
    x, stream, grad, weight = x.clone(), stream.clone(), grad.clone(), normal(cols)
    out, total, rstd = add_rms_norm(x, stream, weight)
    add_rms_norm_backward(grad, out, total, weight, rstd)
    add_rms_norm_backward(grad[:1].clone().expand(rows, cols), out, total, weight, rstd)
    swiglu(x, stream)
    swiglu_backward(grad, x, stream, x, stream)


@pytest.mark.parametrize("length,heads,dim", [(1, 1, 2), (5, 3, 6), (17, 5, 80)])
def test_turning(length, heads, dim):
    x, table = normal(2, length, heads, dim), rope_table(length, dim, device="cpu")
    rope_into(x, x, *table)
    rope_into(torch.empty(2, heads, length, dim).transpose(1, 2), x, *table, back=True, lanes=8)


@pytest.mark.parametrize("tokens,vocab,chunk", [(1, 1, 1), (5, 17, 2), (3, 4097, 3)])
def test_losses(tokens, vocab, chunk):
    target = torch.arange(tokens) % vocab
    for wrong in (-100, vocab, -1):
        target[-1] = wrong
        loss_gradients(normal(tokens, 6), normal(vocab, 6), target, chunk)
    scale_(normal(2049), torch.tensor(2.0))


@pytest.mark.parametrize("m,n,k,group", [(1, 1, 1, 64), (17, 129, 300, 64), (9, 70, 520, 128), (130, 65, 64, 64)])
@pytest.mark.parametrize("settings", [None, (16, 64, 1, 4, 2), (16, 64, 3, 4, 2)])
def test_packed_weights(m, n, k, group, settings):
    packed, scales = quantize(normal(n, k).half(), group)
    x, grad = normal(m, k).half(), normal(m, n).half()
    if settings is None or settings[2] <= len(packed):
        few_rows(x, packed, scales, settings)
    many_rows(x, packed, scales, piece=2**14)
    int4_backward(grad, packed, scales, k, piece=2**14)


def test_the_watch_sees_a_step_too_far():
    packed, scales = quantize(normal(5, 64).half(), 64)
    with pytest.raises(interpreter.InterpreterError, match="lanes outside"):
        few_rows(normal(1, 64).half(), packed, scales[:, :1].clone(), (16, 64, 1, 4, 2))
