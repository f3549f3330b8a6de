/** A picture of a plane as people see it: voxels, classes, shapes, letters and scale. No name of a file or person is in it. */

/** Draws everything in `stage` into one picture. */
export async function snapshot(stage: HTMLElement): Promise<Blob | undefined> {
  const [width, height] = [stage.clientWidth, stage.clientHeight];
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  const voxels = stage.querySelector("canvas");
  if (!context || !voxels) return undefined;
  context.imageSmoothingEnabled = false;
  context.drawImage(voxels, 0, 0, width, height);
  for (const shapes of stage.querySelectorAll("svg")) context.drawImage(await picture(shapes, width, height), 0, 0);
  const box = stage.getBoundingClientRect();
  context.textBaseline = "top";
  context.shadowColor = "#000";
  context.shadowBlur = 3;
  context.fillStyle = "#fff";
  for (const text of stage.querySelectorAll(".letter, .scale")) {
    const at = text.getBoundingClientRect();
    context.font = `600 ${getComputedStyle(text).fontSize} system-ui, sans-serif`;
    context.fillText(text.textContent ?? "", at.left - box.left, at.top - box.top);
    if (text.classList.contains("scale")) context.fillRect(at.left - box.left, at.bottom - box.top - 3, at.width, 3);
  }
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), "image/png"));
}

/** Vector shapes as something that can be drawn. */
async function picture(shapes: SVGSVGElement, width: number, height: number): Promise<HTMLImageElement> {
  const copy = shapes.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}
