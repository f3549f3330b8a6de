/** One file: what it says about itself, its tree, its sampling index, its history, its digests. */

import type { CollectionSummary, IndexSummary, Json, Metadata, SampleSummary, TreeNode, Verification } from "medh5-lite";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { cellText, columnsOf } from "../model/clinical";
import { classesOf } from "../model/colours";
import { bytes, extent, number } from "../model/format";
import type { CallOptions } from "../reader/pool";
import type { Calls, FileInput, Method } from "../reader/protocol";

/** Asks about the file that is shown. */
export type Ask = <M extends Method>(method: M, args: Calls[M]["args"], options?: CallOptions) => Promise<Calls[M]["result"]>;

/** A value that is on its way. */
export type Loaded<T> = { readonly value: T } | { readonly error: string } | undefined;

/** Runs `load` when `keys` change; what a later run gives wins. */
export function useLoaded<T>(load: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Loaded<T>>();
  useEffect(() => {
    let isCurrent = true;
    setState(undefined);
    load().then(
      (value) => isCurrent && setState({ value }),
      (error: unknown) => isCurrent && setState({ error: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, keys);
  return state;
}

/** Shows a value when it is there. */
export function Show<T>({ of, children }: { readonly of: Loaded<T>; readonly children: (value: T) => ComponentChildren }): JSX.Element {
  if (!of) return <p class="faint">reading…</p>;
  if ("error" in of) return <p role="alert">{of.error}</p>;
  return <>{children(of.value)}</>;
}

interface Props {
  readonly file: FileInput;
  readonly sampleKey: string | undefined;
  readonly ask: Ask;
  readonly onKey: (key: string) => void;
  readonly onLook: (target?: Target) => void;
}

/** A voxel to look at. */
export interface Target {
  readonly annotation: string;
  readonly voxel: readonly number[];
}

const PARTS = ["about", "document", "tree", "index", "clinical", "digests"] as const;

export function InspectPanel({ file, sampleKey, ask, onKey, onLook }: Props): JSX.Element {
  const [part, setPart] = useState<(typeof PARTS)[number]>("about");
  const summary = useLoaded(() => ask("summary", {}), [file, sampleKey]);
  return (
    <section aria-label={`Inspect ${file.name}`}>
      <h2>
        {file.name}
        {sampleKey ? ` :: ${sampleKey}` : ""}
      </h2>
      <Show of={summary}>
        {(value) =>
          "samples" in value ? (
            <Members summary={value} onKey={onKey} />
          ) : (
            <>
              <div class="bar">
                <div class="bar" role="tablist" aria-label="Parts of the file">
                  {PARTS.map((name) => (
                    <button key={name} role="tab" aria-selected={part === name} onClick={() => setPart(name)}>
                      {name}
                    </button>
                  ))}
                </div>
                <button class="primary" onClick={() => onLook()}>
                  look at images
                </button>
              </div>
              <div role="tabpanel" aria-label={part}>
                {part === "about" && <About summary={value} size={file.data instanceof Blob ? file.data.size : undefined} />}
                {part === "document" && <Document ask={ask} keys={[file, sampleKey]} />}
                {part === "tree" && <Tree ask={ask} keys={[file]} />}
                {part === "index" && <Index ask={ask} keys={[file, sampleKey]} onLook={onLook} />}
                {part === "clinical" && <Clinical ask={ask} keys={[file, sampleKey]} />}
                {part === "digests" && <Digests ask={ask} keys={[file, sampleKey]} />}
              </div>
            </>
          )
        }
      </Show>
    </section>
  );
}

function Members({ summary, onKey }: { readonly summary: CollectionSummary; readonly onKey: (key: string) => void }): JSX.Element {
  return (
    <>
      <p>
        A collection of {summary.samples.length} samples, format {summary.version}.
      </p>
      <ul class="columns">
        {summary.samples.map((key) => (
          <li key={key}>
            <button class="plain link" onClick={() => onKey(key)}>
              {key}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A list of objects as a table; members that are missing everywhere are left out. */
function Grid({ title, rows, columns }: { readonly title: string; readonly rows: readonly object[]; readonly columns: readonly string[] }): JSX.Element | null {
  if (rows.length === 0) return null;
  const records = rows as readonly Record<string, unknown>[];
  const shown = columns.filter((column) => records.some((row) => row[column] !== null && row[column] !== undefined));
  return (
    <>
      <h3>
        {title} ({rows.length})
      </h3>
      <div class="wide" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              {shown.map((column) => (
                <th key={column} scope="col">
                  {column.replaceAll("_", " ")}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {records.map((row, at) => (
              <tr key={at}>
                {shown.map((column) => (
                  <td key={column}>{text(row[column])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function text(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return number(value, 7);
  if (Array.isArray(value)) return value.map(text).join(", ");
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

function About({ summary, size }: { readonly summary: SampleSummary; readonly size: number | undefined }): JSX.Element {
  const facts: readonly [string, unknown][] = [
    ["sample", summary.sample_id],
    ["subject", summary.subject_id],
    ["format", summary.version],
    ["profiles", summary.profiles.join(", ")],
    ["content_id", summary.content_id],
    ["label set", summary.label_set && `${summary.label_set.id} ${summary.label_set.version}, ${summary.label_set.classes} classes, ${summary.label_set.form}`],
    ["provenance", `${summary.agents} agents, ${summary.activities} activities, ${summary.quality_records} quality records`],
    ["de-identification", summary.deidentified ? "recorded" : "no record"],
    ["size", size === undefined ? "" : bytes(size)],
  ];
  const images = summary.images.map((image) => ({ ...image, shape: extent(image.shape), chunks: extent(image.chunks), bytes: image.nbytes === null ? "" : bytes(image.nbytes) }));
  return (
    <>
      {!summary.document_usable && <p role="alert">The sample document (/meta) is absent or cannot be used.</p>}
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text(value) || "—"}</dd>
          </div>
        ))}
      </dl>
      <Grid title="Timepoints" rows={summary.timepoints} columns={["id", "index", "label", "date", "days_from_baseline"]} />
      <Grid title="Images" rows={images} columns={["id", "modality", "value_type", "shape", "dtype", "value_units", "grid", "levels", "chunks", "bytes", "storage"]} />
      <Grid
        title="Annotations"
        rows={summary.annotations.map((one) => ({ ...one, examined: `${one.annotated_classes} of ${one.classes} classes` }))}
        columns={["id", "kind", "task", "grid", "timepoints", "examined", "closure", "quality", "prov"]}
      />
      <Grid title="Grids" rows={summary.grids.map((grid) => ({ ...grid, shape: extent(grid.shape), spacing: extent(grid.spacing) }))} columns={["id", "shape", "axis_names", "spacing", "units", "origin", "coord_system", "timepoint", "frame_uid"]} />
      <Grid title="Transforms" rows={summary.transforms} columns={["id", "kind", "from_frame", "to_frame", "units", "inverse_id", "metrics"]} />
    </>
  );
}

interface PartProps {
  readonly ask: Ask;
  readonly keys: readonly unknown[];
}

function Document({ ask, keys }: PartProps): JSX.Element {
  return (
    <Show of={useLoaded<Metadata>(() => ask("meta", {}), keys)}>
      {(meta) => {
        const classes = classesOf(meta.document);
        return (
          <>
            {classes.length > 0 && (
              <>
                <h3>Label set</h3>
                <ul class="columns">
                  {classes.map(({ id, key, name, colour }) => (
                    <li key={id}>
                      <span class="swatch" style={{ background: `rgb(${colour.join(",")})` }} /> {id} {name} <span class="faint">{key}</span>
                    </li>
                  ))}
                </ul>
              </>
            )}
            <h3>Everything, as stored</h3>
            <JsonTree value={meta as unknown as Json} name="sample" open />
          </>
        );
      }}
    </Show>
  );
}

function JsonTree({ name, value, open }: { readonly name: string; readonly value: Json; readonly open?: boolean }): JSX.Element {
  if (typeof value !== "object" || value === null) {
    return (
      <div class="leaf">
        <span class="faint">{name}: </span>
        {value === null ? "null" : String(value)}
      </div>
    );
  }
  const members = Object.entries(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return (
      <div class="leaf">
        <span class="faint">{name}: </span>[{value.join(", ")}]
      </div>
    );
  }
  return (
    <details open={open}>
      <summary>
        {name} <span class="faint">({members.length})</span>
      </summary>
      {members.map(([key, inner]) => (
        <JsonTree key={key} name={key} value={inner as Json} />
      ))}
    </details>
  );
}

function Tree({ ask, keys }: PartProps): JSX.Element {
  return <Show of={useLoaded<TreeNode>(() => ask("tree", {}), keys)}>{(root) => <Branch node={{ ...root, name: "/" }} open />}</Show>;
}

function Branch({ node, open }: { readonly node: TreeNode; readonly open?: boolean }): JSX.Element {
  const attributes = Object.entries(node.attributes);
  const line = (
    <>
      {node.name}
      {node.kind === "group" && node.name !== "/" ? "/" : ""} <span class="faint">{node.describe}</span>
    </>
  );
  if (attributes.length === 0 && !node.children?.length) return <div class="leaf">{line}</div>;
  return (
    <details open={open}>
      <summary>{line}</summary>
      {attributes.map(([name, value]) => (
        <JsonTree key={name} name={`@${name}`} value={value} />
      ))}
      {node.children?.map((child) => (
        <Branch key={child.name} node={child} />
      ))}
    </details>
  );
}

/** Sample points of the classes, drawn from the index: seeds count up, so that the same draws come again. */
function Draws({ entry, ask, onLook }: { readonly entry: IndexSummary; readonly ask: Ask; readonly onLook: Props["onLook"] }): JSX.Element {
  const [drawn, setDrawn] = useState<ReadonlyMap<number, readonly (readonly number[])[]>>(new Map());
  const [problem, setProblem] = useState("");
  const draw = (classId: number): void => {
    const seed = drawn.get(classId)?.length ?? 0;
    ask("draw", { annotation: entry.annotation, classId, seed }).then(
      (voxel) => voxel && setDrawn((old) => new Map(old).set(classId, [...(old.get(classId) ?? []), voxel])),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <>
      <h3>Sample points of {entry.annotation}</h3>
      {problem && <p role="alert">{problem}</p>}
      <ul class="columns">
        {entry.classes
          .filter(({ voxel_count }) => voxel_count > 0)
          .map(({ class_id, key }) => (
            <li key={class_id}>
              {class_id} {key} <button onClick={() => draw(class_id)}>draw one</button>
              {drawn.get(class_id)?.map((voxel) => (
                <div key={voxel.join()}>
                  voxel [{voxel.join(", ")}]{" "}
                  <button class="plain link" onClick={() => onLook({ annotation: entry.annotation, voxel })}>
                    look at it
                  </button>
                </div>
              ))}
            </li>
          ))}
      </ul>
    </>
  );
}

function Index({ ask, keys, onLook }: PartProps & { readonly onLook: Props["onLook"] }): JSX.Element {
  return (
    <Show of={useLoaded<IndexSummary[]>(() => ask("index", {}), keys)}>
      {(entries) =>
        entries.length === 0 ? (
          <p>This sample has no sampling index.</p>
        ) : (
          <>
            {entries.map((entry) => (
              <div key={entry.annotation}>
                <p>
                  <strong>{entry.annotation}</strong>: {entry.current ? "current" : <span class="warning">stale: the annotation has changed since</span>}
                </p>
                <Grid
                  title={`Classes of ${entry.annotation}`}
                  rows={entry.classes.map((one) => ({ ...one, box: one.bounding_box?.map(([low, high]) => `${low + 0.5}–${high - 0.5}`).join(", ") ?? "empty" }))}
                  columns={["class_id", "key", "voxel_count", "stored_coordinates", "box"]}
                />
                <Draws entry={entry} ask={ask} onLook={onLook} />
              </div>
            ))}
          </>
        )
      }
    </Show>
  );
}

function Clinical({ ask, keys }: PartProps): JSX.Element {
  return (
    <Show of={useLoaded<Json>(() => ask("clinical", {}), keys)}>
      {(history) => {
        if (history === null || typeof history !== "object" || Array.isArray(history)) return <p>This sample has no clinical history.</p>;
        const tables = Object.entries(history).filter((entry): entry is [string, { [name: string]: Json }[]] => Array.isArray(entry[1]));
        return (
          <>
            <p class="faint">Days and hours are counted from the baseline.</p>
            {tables.map(([name, rows]) => {
              const columns = columnsOf(rows);
              return <Grid key={name} title={name} rows={rows.map((row) => Object.fromEntries(columns.map((column) => [column, cellText(row[column] ?? null)])))} columns={columns} />;
            })}
          </>
        );
      }}
    </Show>
  );
}

function Digests({ ask, keys }: PartProps): JSX.Element {
  const [run, setRun] = useState<AbortController | undefined>();
  const [looked, setLooked] = useState(0);
  const [found, setFound] = useState<Loaded<Verification>>();
  useEffect(() => () => run?.abort(), keys);
  const start = (): void => {
    const controller = new AbortController();
    setRun(controller);
    setFound(undefined);
    ask("verify", {}, { signal: controller.signal, onProgress: setLooked })
      .then(
        (value) => setFound({ value }),
        (error: unknown) => setFound({ error: error instanceof Error ? error.message : String(error) }),
      )
      .finally(() => setRun(undefined));
  };
  return (
    <>
      <p>Every stored value is read and compared with the digests that the file carries.</p>
      {run ? (
        <p role="status">
          {bytes(looked)} compared… <button onClick={() => run.abort()}>stop</button>
        </p>
      ) : (
        <button onClick={start}>verify digests</button>
      )}
      {found && (
        <Show of={found}>
          {(value) => (
            <>
              <p class={value.ok ? "passed" : "failed"} role="status">
                {value.ok ? "All digests agree with the data." : "Something does not agree."} {value.checked} datasets compared; content_id{" "}
                {value.content_id_ok === null ? "was not verified" : value.content_id_ok ? "agrees" : "does not agree"}.
              </p>
              {(["mismatched", "malformed", "unattested", "undigested", "unverifiable", "stale_index"] as const).map(
                (kind) =>
                  value[kind].length > 0 && (
                    <p key={kind}>
                      {kind.replace("_", " ")}: {value[kind].join(", ")}
                    </p>
                  ),
              )}
            </>
          )}
        </Show>
      )}
    </>
  );
}
