/** Boxes, points and curves: drawn over a plane, and listed so that each can be gone to. */

import type { AnnotationSummary, Section, Shape } from "medh5-lite";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { fallbackColour, type Colour, type LabelClass } from "../model/colours";
import { number } from "../model/format";
import type { GridGeometry, PlaneView } from "../model/orientation";
import { screenPoint } from "../model/shapes";
import { useLoaded, type Ask, type Loaded } from "./inspect";

/** Kinds that are drawn as shapes; instances as their boxes. */
export const SHAPE_KINDS = ["boxes", "obb", "points", "keypoints", "contours", "polylines", "instances"];

/** Shapes that are listed; the sampling of thousands of points is no list for people. */
const MOST_LISTED = 200;

/** One annotation of shapes and what is known of it. */
export interface ShownShapes {
  readonly annotation: string;
  readonly shapes: readonly Shape[];
}

/** The shapes of one annotation. */
export function useShapes(ask: Ask, annotation: string, image: string): Loaded<Shape[]> {
  return useLoaded(() => ask("shapes", { annotation, image }), [annotation, image]);
}

interface DrawnProps {
  readonly geometry: GridGeometry;
  readonly view: PlaneView;
  readonly width: number;
  readonly height: number;
  readonly annotation: string;
  readonly image: string;
  readonly at: number;
  readonly ask: Ask;
  readonly shapes: readonly Shape[];
  readonly classes: readonly LabelClass[];
  readonly hidden: ReadonlySet<number>;
}

/** What a plane shows of an annotation. */
export function DrawnShapes({ geometry, view, width, height, annotation, image, at, ask, shapes, classes, hidden }: DrawnProps): JSX.Element | null {
  const sections = useLoaded<Section[]>(() => ask("sections", { annotation, image, axis: view.cut, at }), [annotation, image, view.cut, at]);
  if (!sections || "error" in sections) return null;
  const place = (point: readonly [number, number]): string => {
    const [x, y] = screenPoint(geometry, view, point);
    return `${(x * width).toFixed(2)},${(y * height).toFixed(2)}`;
  };
  return (
    <svg class="shapes" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {sections.value.map((section) => {
        const shape = shapes[section.shape];
        if (!shape || hidden.has(shape.class_id ?? 0)) return null;
        const colour = `rgb(${colourOf(shape, classes).join(",")})`;
        return (
          <g key={section.shape} stroke={colour} fill="none" stroke-width="2" stroke-dasharray={section.is_hole ? "4 3" : undefined}>
            {section.lines.map((line, index) => (
              <path key={index} d={`M${line.map(place).join("L")}${section.is_closed ? "Z" : ""}`} />
            ))}
            {section.points.map((point, index) => {
              const [x, y] = screenPoint(geometry, view, point);
              const isHidden = section.hidden.some(([row, column]) => row === point[0] && column === point[1]);
              return <circle key={index} cx={x * width} cy={y * height} r="4" fill={isHidden ? "none" : colour} stroke={isHidden ? colour : "#000"} stroke-width={isHidden ? 2 : 1} />;
            })}
          </g>
        );
      })}
    </svg>
  );
}

function colourOf(shape: Shape, classes: readonly LabelClass[]): Colour {
  const id = shape.class_id ?? 0;
  return classes.find((one) => one.id === id)?.colour ?? fallbackColour(id);
}

interface ListProps {
  readonly annotation: AnnotationSummary;
  readonly shapes: Loaded<Shape[]>;
  readonly classes: readonly LabelClass[];
  readonly isShown: boolean;
  readonly onShow: (isShown: boolean) => void;
  readonly onGo: (center: readonly number[]) => void;
}

/** One annotation of shapes: shown or not, and its shapes to go to. */
export function ShapeList({ annotation, shapes, classes, isShown, onShow, onGo }: ListProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const list = shapes && "value" in shapes ? shapes.value : [];
  const nameOf = (shape: Shape): string => classes.find(({ id }) => id === shape.class_id)?.name ?? (shape.class_id === null ? "" : `class ${shape.class_id}`);
  return (
    <li>
      <label>
        <input type="checkbox" checked={isShown} onChange={(event) => onShow(event.currentTarget.checked)} /> {annotation.id} <span class="faint">({annotation.kind})</span>
      </label>{" "}
      {!shapes ? "…" : "error" in shapes ? <span role="alert">{shapes.error}</span> : `${list.length} ${list.length === 1 ? "shape" : "shapes"}`}
      {list.length > 0 && (
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>list of {annotation.id}</summary>
          {isOpen && (
            <ul>
              {list.slice(0, MOST_LISTED).map((shape, at) => (
                <li key={at}>
                  <span class="swatch" style={{ background: `rgb(${colourOf(shape, classes).join(",")})` }} /> {shape.name ?? nameOf(shape)} {shape.instance_id === null ? "" : `#${shape.instance_id}`} {shape.score === null ? "" : `score ${number(shape.score, 3)}`}{" "}
                  <button class="plain link" disabled={shape.center === null} onClick={() => shape.center && onGo(shape.center)}>
                    go to
                  </button>
                </li>
              ))}
              {list.length > MOST_LISTED && <li>and {list.length - MOST_LISTED} more</li>}
            </ul>
          )}
        </details>
      )}
    </li>
  );
}
