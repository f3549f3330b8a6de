/** Colours of classes: the label set's own, else a palette that stays apart for colour-blind eyes. */

export type Colour = readonly [red: number, green: number, blue: number];

const PALETTE: readonly Colour[] = [
  [230, 159, 0],
  [86, 180, 233],
  [0, 158, 115],
  [240, 228, 66],
  [0, 114, 178],
  [213, 94, 0],
  [204, 121, 167],
  [170, 170, 170],
];

/** A class of the label set. */
export interface LabelClass {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly colour: Colour;
}

/** The classes in the sample document; none when it has no label set inline. */
export function classesOf(document: unknown): LabelClass[] {
  const classes = member(member(document, "label_set"), "classes");
  if (!Array.isArray(classes)) return [];
  return classes.flatMap((entry: unknown) => {
    const id = member(entry, "id");
    if (typeof id !== "number") return [];
    const [key, name] = [member(entry, "key"), member(entry, "name")].map((value) => (typeof value === "string" ? value : String(id)));
    return [{ id, key: key ?? "", name: name ?? "", colour: colourOf(member(entry, "color")) ?? fallbackColour(id) }];
  });
}

/** The palette's colour for a class; neighbours differ, repeats are darker. */
export function fallbackColour(id: number): Colour {
  const [red, green, blue] = PALETTE[id % PALETTE.length] ?? [255, 255, 255];
  const shade = 1 - (Math.floor(id / PALETTE.length) % 3) * 0.25;
  return [red * shade, green * shade, blue * shade];
}

function colourOf(value: unknown): Colour | undefined {
  if (!Array.isArray(value) || value.length < 3) return undefined;
  const [red, green, blue] = value as unknown[];
  return typeof red === "number" && typeof green === "number" && typeof blue === "number" ? [red, green, blue] : undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
