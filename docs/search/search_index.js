// Opened from a folder, the site cannot read its search index, and Material's script would end there.
// An empty one keeps everything else alive: tabs, copying, the replay.
var __index = { config: { lang: ["en"], separator: "[\\s]+", pipeline: [] }, docs: [], options: {} };
