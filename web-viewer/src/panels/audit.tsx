/** The files of a cohort against one another. Every number opens the files it stands for. */

import { AuditRun, type AuditForm, type CohortAudit, type CohortCheck, type CohortSample } from "medh5-lite";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { cellParts, changesOf, columnName, samplesOf, splitPath, verdictOf, wordOf, type Selected } from "../model/cohort";
import { CallError, type Pool } from "../reader/pool";
import type { FileInput } from "../reader/protocol";
import { Table, type Column } from "./table";
import { save } from "./validate";

interface Props {
  readonly files: readonly FileInput[];
  readonly pool: Pool;
  /** What was found before; it stays while other views are looked at. */
  readonly state: AuditState | undefined;
  readonly onState: (state: AuditState) => void;
  readonly onOpen: (name: string, key: string | undefined) => void;
}

/** An audit that is done, or was stopped. */
export interface AuditState {
  readonly files: readonly FileInput[];
  readonly run: AuditRun;
  readonly found: CohortAudit;
  /** Files that were not looked at. */
  readonly missing: number;
}

export function AuditPanel({ files, pool, state, onState, onOpen }: Props): JSX.Element {
  const [done, setDone] = useState<number | undefined>();
  const [problem, setProblem] = useState("");
  const controller = useRef<AbortController | undefined>();
  useEffect(() => () => controller.current?.abort(), []);
  const start = async (): Promise<void> => {
    const own = new AbortController();
    controller.current = own;
    setProblem("");
    setDone(0);
    try {
      const { run, missing } = await surveyAll(files, pool, own.signal, setDone);
      onState({ files, run, found: await run.summary(), missing });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setDone(undefined);
  };
  const current = state?.files === files ? state : undefined;
  return (
    <section aria-label="Audit">
      <div class="bar">
        <button class="primary" disabled={files.length === 0 || done !== undefined} onClick={() => void start()}>
          compare these {files.length} files
        </button>
        <span class="faint">Metadata and sampling indexes are read, no voxels.</span>
      </div>
      {done !== undefined && (
        <div class="bar" role="status">
          <progress max={files.length} value={done} aria-label="Files looked at" />
          {done} of {files.length} files <button onClick={() => controller.current?.abort()}>stop</button>
        </div>
      )}
      {problem && <p role="alert">{problem}</p>}
      {current && <Answers state={current} onOpen={onOpen} />}
    </section>
  );
}

/** Surveys every file in the pool; one that fails stays in the audit with the reason. */
async function surveyAll(files: readonly FileInput[], pool: Pool, signal: AbortSignal, onDone: (count: number) => void): Promise<{ run: AuditRun; missing: number }> {
  const run = new AuditRun([]);
  let [done, missing, told] = [0, 0, 0];
  await Promise.all(
    files.map(async (file) => {
      try {
        await run.add(await pool.call(file, "survey", {}, { signal }));
      } catch (error) {
        if (error instanceof CallError && error.kind === "aborted") {
          missing += 1;
          return;
        }
        await run.add([{ path: file.name, is_open: false, problems: [{ location: "/", message: error instanceof Error ? error.message : String(error) }] }]);
      }
      done += 1;
      // Thousands of files must not mean thousands of redraws.
      if (performance.now() - told > 100) {
        told = performance.now();
        onDone(done);
      }
    }),
  );
  return { run, missing };
}

const FORMS: readonly [AuditForm, string, string, string][] = [
  ["json", "JSON", "audit.json", "application/json"],
  ["csv", "CSV of findings", "audit-findings.csv", "text/csv"],
  ["samples", "CSV of files", "audit-files.csv", "text/csv"],
  ["html", "HTML", "audit.html", "text/html"],
];

function Answers({ state: { run, found, missing }, onOpen }: { readonly state: AuditState; readonly onOpen: Props["onOpen"] }): JSX.Element {
  const [selected, setSelected] = useState<Selected | undefined>();
  const list = useRef<HTMLHeadingElement>(null);
  const select = (title: string, samples: readonly number[]): void => {
    setSelected({ title, samples });
    requestAnimationFrame(() => list.current?.focus());
  };
  const verdict = verdictOf(found, missing);
  const { totals } = found;
  return (
    <>
      <p class={`summary ${verdict.word}`} role="status">
        <strong>{verdict.sentence}</strong>
        <span class="faint">
          {" "}
          {totals.subjects} subjects, {totals.sites} sites, {totals.images} images, {totals.annotations} annotations. {found.tool.name} {found.tool.version}.
        </span>
      </p>
      <div class="bar">
        {FORMS.map(([form, label, name, type]) => (
          <button key={form} onClick={() => void run.report(form).then((text) => save(name, type, text))}>
            {label}
          </button>
        ))}
      </div>
      {selected && (
        <div class="selected-files">
          <h2 tabIndex={-1} ref={list}>
            {selected.title}: {selected.samples.length} {selected.samples.length === 1 ? "file" : "files"} <button onClick={() => setSelected(undefined)}>close</button>
          </h2>
          <Table label="Files behind the number" rows={selected.samples.flatMap((place) => found.samples[place] ?? [])} columns={SAMPLE_COLUMNS} onOpen={({ path }) => onOpen(splitPath(path).file, splitPath(path).key)} />
        </div>
      )}
      <h2>Checks</h2>
      <ul class="checks">
        {found.checks.map((check) => (
          <Check key={check.name} check={check} onSelect={select} />
        ))}
      </ul>
      <Labels found={found} onSelect={select} />
      <Matrix found={found} onSelect={select} />
      <Geometry found={found} onSelect={select} />
    </>
  );
}

const SAMPLE_COLUMNS: readonly Column<CohortSample>[] = [
  { name: "File", width: "minmax(12rem, 3fr)", cell: ({ path }) => path, order: ({ path }) => path },
  { name: "Subject", width: "minmax(6rem, 1fr)", cell: ({ subject_id }) => subject_id ?? "", order: ({ subject_id }) => subject_id ?? "" },
  { name: "Site", width: "minmax(5rem, 1fr)", cell: ({ site_id }) => site_id ?? "", order: ({ site_id }) => site_id ?? "" },
  { name: "Splits", width: "minmax(8rem, 1fr)", cell: ({ splits }) => splits.join(" "), order: ({ splits }) => splits.join(" ") },
  { name: "Not read", width: "minmax(10rem, 3fr)", cell: ({ problems }) => <span title={problems.join("\n")}>{problems.join("; ")}</span> },
];

type Select = (title: string, samples: readonly number[]) => void;

/** A number that opens the files it stands for. */
function Count({ of, title, onSelect, children }: { readonly of: readonly number[]; readonly title: string; readonly onSelect: Select; readonly children?: string }): JSX.Element {
  return (
    <button class="plain link" aria-label={`${children ?? `${of.length} files`}: ${title}`} onClick={() => onSelect(title, of)}>
      {children ?? of.length}
    </button>
  );
}

function Check({ check, onSelect }: { readonly check: CohortCheck; readonly onSelect: Select }): JSX.Element {
  const { word, mark, tone } = wordOf(check);
  const samples = samplesOf(check);
  return (
    <li>
      <span class={tone}>
        <span aria-hidden="true">{mark}</span> {word}
      </span>{" "}
      <strong>{check.title}</strong>
      {check.code && <span class="faint"> {check.code}</span>}: {check.sentence}{" "}
      {samples.length > 0 && (
        <Count of={samples} title={check.title} onSelect={onSelect}>
          {`show ${samples.length}`}
        </Count>
      )}
      {check.groups && check.groups.length > 1 && (
        <details>
          <summary>{check.groups.length} groups</summary>
          <ul>
            {check.groups.slice(0, MOST_GROUPS).map((group, at) => (
              <li key={at}>
                {group.label}: <Count of={group.samples} title={`${check.title}, ${group.label}`} onSelect={onSelect} />
              </li>
            ))}
            {check.groups.length > MOST_GROUPS && <li>and {check.groups.length - MOST_GROUPS} more; the reports have them all</li>}
          </ul>
        </details>
      )}
    </li>
  );
}

/** Groups that are listed here; the reports hold all. */
const MOST_GROUPS = 200;

interface PartProps {
  readonly found: CohortAudit;
  readonly onSelect: Select;
}

function Labels({ found, onSelect }: PartProps): JSX.Element | null {
  if (found.label_sets.length === 0) return null;
  const name = (place: number): string => {
    const set = found.label_sets[place];
    return set ? `${set.id} ${set.version}` : "";
  };
  return (
    <>
      <h2>Label sets</h2>
      <ul>
        {found.label_sets.map((set, place) => (
          <li key={set.digest}>
            {name(place)} <span class="faint">({set.is_reference ? "classes elsewhere" : `${set.classes} classes`}, {set.digest.slice(0, 8)})</span>: <Count of={set.samples} title={`Label set ${name(place)}`} onSelect={onSelect} />
          </li>
        ))}
      </ul>
      {found.label_differences.map((difference) => (
        <div key={difference.to}>
          <h3>
            {name(difference.to)} against {name(difference.from)}
          </h3>
          <ul>
            {changesOf(difference).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

function Matrix({ found, onSelect }: PartProps): JSX.Element | null {
  const { columns, rows } = found.classes;
  if (rows.length === 0) return null;
  return (
    <>
      <h2>Classes by site and split</h2>
      <p class="faint">Absent means: looked for, and a current sampling index counts no voxel. Not told: no current index. Not examined: nobody looked, so absence means nothing.</p>
      <div class="wide" tabIndex={0} role="region" aria-label="Classes by site and split">
        <table>
          <thead>
            <tr>
              <th scope="col">class</th>
              {columns.map((column, at) => (
                <th key={at} scope="col">
                  {columnName(column)} <Count of={column.samples} title={columnName(column)} onSelect={onSelect} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.class_id} ${row.key}`}>
                <th scope="row">
                  {row.class_id} {row.key ?? "(unnamed)"}
                </th>
                {row.cells.map((cell, at) => (
                  <td key={at}>
                    {cellParts(cell).map(({ word, samples }) => (
                      <div key={word}>
                        <Count of={samples} title={`${row.key ?? row.class_id} ${word}, ${columnName(columns[at] ?? { site_id: null, set_id: null, partition: null, samples: [] })}`} onSelect={onSelect} /> {word}
                      </div>
                    ))}
                    {cell.examined.length > 0 && <div class="faint">{cell.voxels.toLocaleString("en")} voxels</div>}
                    {cell.declared.length === 0 && <span class="faint">not named</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Geometry({ found, onSelect }: PartProps): JSX.Element | null {
  if (found.geometry.length === 0) return null;
  return (
    <>
      <h2>Geometry</h2>
      <div class="wide" tabIndex={0} role="region" aria-label="Geometry">
        <table>
          <thead>
            <tr>
              {["property", "modality", "value", "images", "files"].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.geometry.slice(0, MOST_GROUPS).map((group, at) => (
              <tr key={at}>
                <td>{group.property}</td>
                <td>{group.modality}</td>
                <td>{group.value}</td>
                <td>{group.images}</td>
                <td>
                  <Count of={group.samples} title={`${group.property} ${group.value}`} onSelect={onSelect} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.geometry.length > MOST_GROUPS && <p>and {found.geometry.length - MOST_GROUPS} more groups; the reports have them all</p>}
    </>
  );
}
