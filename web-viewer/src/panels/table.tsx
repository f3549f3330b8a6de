/** A table that only makes the rows that are in sight, so that 100,000 findings do not freeze the page. */

import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

export interface Column<Row> {
  readonly name: string;
  readonly width: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** What the column is sorted by; without it the column cannot be sorted. */
  readonly order?: (row: Row) => string | number;
}

const ROW_HEIGHT = 32;
const OVERSCAN = 10;

interface Props<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly onOpen?: (row: Row) => void;
  readonly selected?: Row | undefined;
}

export function Table<Row>({ label, rows, columns, onOpen, selected }: Props<Row>): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(400);
  const [sort, setSort] = useState<{ column: number; descending: boolean } | undefined>();
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const ordered = useMemo(() => sorted(rows, columns[sort?.column ?? -1]?.order, sort?.descending ?? false), [rows, sort]);
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - OVERSCAN);
  const last = Math.min(ordered.length, Math.ceil((top + height) / ROW_HEIGHT) + OVERSCAN);
  const template = { gridTemplateColumns: columns.map(({ width }) => width).join(" ") };
  const turn = (column: number): void => setSort((now) => ({ column, descending: now?.column === column ? !now.descending : false }));
  return (
    <div class="table" role="table" aria-label={label} aria-rowcount={ordered.length + 1}>
      <div role="rowgroup">
        <div class="row head" role="row" aria-rowindex={1} style={template}>
          {columns.map((column, at) => (
            <span role="columnheader" key={column.name} aria-sort={sort?.column === at ? (sort.descending ? "descending" : "ascending") : "none"}>
              {column.order ? (
                <button class="plain" onClick={() => turn(at)}>
                  {column.name}
                  {sort?.column === at ? (sort.descending ? " ▾" : " ▴") : ""}
                </button>
              ) : (
                column.name
              )}
            </span>
          ))}
        </div>
      </div>
      <div class="scroll" style={{ maxHeight: `${Math.max(3, ordered.length) * ROW_HEIGHT + 16}px` }} ref={box} role="rowgroup" tabIndex={0} aria-label={`${label}, rows`} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
        <div role="presentation" style={{ height: `${ordered.length * ROW_HEIGHT}px`, position: "relative" }}>
          {ordered.slice(first, last).map((row, at) => (
            <div
              class={`row${row === selected ? " selected" : ""}`}
              role="row"
              key={first + at}
              aria-rowindex={first + at + 2}
              style={{ ...template, position: "absolute", top: `${(first + at) * ROW_HEIGHT}px`, height: `${ROW_HEIGHT}px`, left: 0, right: 0 }}
            >
              {columns.map((column, place) => (
                <span role="cell" key={column.name}>
                  {place === 0 && onOpen ? (
                    <button class="plain link" onClick={() => onOpen(row)}>
                      {column.cell(row)}
                    </button>
                  ) : (
                    column.cell(row)
                  )}
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function sorted<Row>(rows: readonly Row[], order: ((row: Row) => string | number) | undefined, descending: boolean): readonly Row[] {
  if (!order) return rows;
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [order(a), order(b)];
    return x < y ? -sign : x > y ? sign : 0;
  });
}
