/** Our side of the comparison, in a worker: answers `{ id, file, task }` with milliseconds. */

import { init, open } from "./medh5-lite/index.js";

const start = performance.now();
await init();
postMessage({ ready: performance.now() - start });

onmessage = async ({ data: { id, file, task, level } }) => {
  const begun = performance.now();
  let requests = 0;
  let bytes = 0;
  const opened = await open(file, { onTraffic: (count) => ((requests += 1), (bytes += count)) });
  const result = {};
  if (task === "validate") {
    const report = await opened.validate({ level });
    result.ok = report.ok;
  } else {
    const { images } = await opened.summary();
    const [image] = images;
    Object.assign(result, { metadata: performance.now() - begun, requests, bytes });
    const plane = await opened.slice({ image: image.id, axis: 0, index: Math.floor(image.shape[0] / 2) });
    result.sum = plane.data.reduce((sum, value) => sum + value, 0);
  }
  result.all = performance.now() - begun;
  result.total = { requests, bytes, read: opened.bytesRead };
  opened.close();
  postMessage({ id, result });
};
