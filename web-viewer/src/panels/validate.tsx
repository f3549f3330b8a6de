/** The list of files, their verdicts, and all findings. */

import { refusedReport, writeReport, type CodeInfo, type Judged, type Level, type ReportForm, type Version } from "medh5-lite";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { filesToCsv, fromJson } from "../model/exports";
import { compared, findingsOf, grouped, matches, NOT_CHECKED, OUTCOME_WORDS, totalsOf, verdictOf, type Change, type FileRow, type Filter, type FindingRow, type Group } from "../model/findings";
import { bytes, seconds } from "../model/format";
import { Table, type Column } from "./table";

interface Props {
  readonly rows: readonly FileRow[];
  readonly level: Level;
  readonly version: Version;
  readonly codes: ReadonlyMap<string, CodeInfo>;
  readonly onOpen: (name: string) => void;
  readonly onExplain: (code: string) => void;
}

const FILE_COLUMNS: readonly Column<FileRow>[] = [
  { name: "File", width: "minmax(12rem, 3fr)", cell: ({ name }) => name, order: ({ name }) => name },
  { name: "Verdict", width: "minmax(10rem, 1fr)", cell: (row) => <Verdict row={row} />, order: ({ outcome }) => outcome },
  { name: "Errors", width: "5rem", cell: ({ report }) => report?.errors ?? "", order: ({ report }) => report?.errors ?? -1 },
  { name: "Warnings", width: "6rem", cell: ({ report }) => report?.warnings ?? "", order: ({ report }) => report?.warnings ?? -1 },
  { name: "Level", width: "6rem", cell: ({ report }) => report?.level ?? "", order: ({ report }) => report?.level ?? "" },
  { name: "Profiles", width: "minmax(6rem, 1fr)", cell: ({ report }) => report?.profiles.join(" ") ?? "", order: ({ report }) => report?.profiles.join(" ") ?? "" },
  { name: "Size", width: "6rem", cell: ({ size }) => (size === undefined ? "" : bytes(size)), order: ({ size }) => size ?? -1 },
  { name: "Time", width: "5rem", cell: ({ seconds: time }) => (time === undefined ? "" : seconds(time)), order: ({ seconds: time }) => time ?? -1 },
];

const MARKS: Readonly<Record<FileRow["outcome"], string>> = { waiting: "…", running: "…", passed: "✓", warnings: "!", failed: "✕", unreadable: "✕", stopped: "–" };

function Verdict({ row }: { row: FileRow }): JSX.Element {
  return (
    <span class={`verdict ${row.outcome}`} title={row.error}>
      <span aria-hidden="true">{MARKS[row.outcome]}</span> {OUTCOME_WORDS[row.outcome]}
    </span>
  );
}

export function ValidatePanel({ rows, level, version, codes, onOpen, onExplain }: Props): JSX.Element {
  const [view, setView] = useState<View>("files");
  const [filter, setFilter] = useState<Filter>({ text: "", code: "", severity: "all" });
  const [earlier, setEarlier] = useState<readonly FileRow[] | undefined>();
  const [note, setNote] = useState("");
  const totals = useMemo(() => totalsOf(rows), [rows]);
  const all = useMemo(() => findingsOf(rows), [rows]);
  const found = useMemo(() => all.filter((finding) => matches(finding, filter)), [all, filter]);
  const groups = useMemo(() => (view === "code" || view === "file" ? grouped(found, view) : []), [found, view]);
  const shownFiles = useMemo(() => filterFiles(rows, found, filter), [rows, found, filter]);
  const verdict = verdictOf(totals, level);
  const change = useMemo(() => earlier && compared(rows, earlier), [rows, earlier]);
  const changed = useMemo(() => (change && isOfChange(view) ? change[view].filter((finding) => matches(finding, filter)) : []), [change, view, filter]);
  const load = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    try {
      setEarlier(fromJson(await file.text()));
      setView("added");
      setNote("");
    } catch (error) {
      setNote(`${file.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <section aria-label="Verdicts">
      <p class={`summary ${verdict.word}`} role="status">
        <strong>{verdict.sentence}</strong>
        <span class="faint">
          {" "}
          {NOT_CHECKED[level]} {version.name} {version.version}, compared with {version.reference}, code table revision {version.codes_revision}, formats{" "}
          {version.formats.join(", ")}.
        </span>
      </p>
      {change && (
        <p role="status">
          Against the earlier report: {change.added.length} new, {change.fixed.length} fixed, {change.unchanged.length} unchanged findings.
          {change.missing.length > 0 && ` ${change.missing.length} of its files were not checked now: ${change.missing.slice(0, 3).join(", ")}${change.missing.length > 3 ? ", …" : ""}.`}{" "}
          <button
            onClick={() => {
              setEarlier(undefined);
              if (isOfChange(view)) setView("files");
            }}
          >
            forget the earlier report
          </button>
        </p>
      )}
      {note && <p role="alert">{note}</p>}
      <div class="bar">
        <label>
          Show{" "}
          <select value={view} onChange={(event) => setView(event.currentTarget.value as typeof view)}>
            <option value="files">files</option>
            <option value="findings">findings</option>
            <option value="code">findings by code</option>
            <option value="file">findings by file</option>
            {change && (
              <>
                <option value="added">new findings</option>
                <option value="fixed">fixed findings</option>
                <option value="unchanged">unchanged findings</option>
              </>
            )}
          </select>
        </label>
        <label>
          Text <input type="search" value={filter.text} onInput={(event) => setFilter({ ...filter, text: event.currentTarget.value })} />
        </label>
        <label>
          Code <input type="search" size={6} value={filter.code} onInput={(event) => setFilter({ ...filter, code: event.currentTarget.value })} />
        </label>
        <label>
          Severity{" "}
          <select value={filter.severity} onChange={(event) => setFilter({ ...filter, severity: event.currentTarget.value as Filter["severity"] })}>
            <option value="all">all</option>
            <option value="error">errors</option>
            <option value="warning">warnings</option>
          </select>
        </label>
        <Exports rows={rows} level={level} />
        <label class="button">
          Compare with a report…
          <input class="hidden" type="file" accept=".json" onChange={(event) => void load(event.currentTarget.files?.[0])} />
        </label>
      </div>
      {view === "files" && <Table label="Files" rows={shownFiles} columns={FILE_COLUMNS} onOpen={({ name }) => onOpen(name)} />}
      {view === "findings" && <Findings findings={found} onOpen={onOpen} onExplain={onExplain} />}
      {view === "code" && <Groups groups={groups} codes={codes} onOpen={onOpen} onExplain={onExplain} />}
      {isOfChange(view) && <Findings key={view} findings={changed} onOpen={onOpen} onExplain={onExplain} />}
      {view === "file" && <Groups groups={groups} codes={codes} onOpen={onOpen} onExplain={onExplain} />}
    </section>
  );
}

/** What is shown: files, all findings, or those that an earlier report sets apart. */
type View = "files" | "findings" | "code" | "file" | keyof Omit<Change, "missing">;

function isOfChange(view: View): view is keyof Omit<Change, "missing"> {
  return view === "added" || view === "fixed" || view === "unchanged";
}

function filterFiles(rows: readonly FileRow[], found: readonly FindingRow[], filter: Filter): readonly FileRow[] {
  const text = filter.text.trim().toLowerCase();
  if (text === "" && filter.code.trim() === "" && filter.severity === "all") return rows;
  const names = new Set(found.map(({ file }) => file));
  const byName = filter.code.trim() === "" && filter.severity === "all";
  return rows.filter(({ name }) => names.has(name) || (byName && name.toLowerCase().includes(text)));
}

interface FindingProps {
  readonly onOpen: (name: string) => void;
  readonly onExplain: (code: string) => void;
}

function Findings({ findings, onOpen, onExplain }: FindingProps & { readonly findings: readonly FindingRow[] }): JSX.Element {
  const columns: Column<FindingRow>[] = [
    { name: "File", width: "minmax(10rem, 2fr)", cell: ({ file }) => file, order: ({ file }) => file },
    {
      name: "Code",
      width: "5rem",
      cell: ({ code }) => (
        <button class="plain link" onClick={() => onExplain(code)}>
          {code}
        </button>
      ),
      order: ({ code }) => code,
    },
    { name: "Severity", width: "6rem", cell: ({ severity }) => <span class={severity}>{severity}</span>, order: ({ severity }) => severity },
    { name: "Where", width: "minmax(10rem, 2fr)", cell: ({ location }) => <code>{location}</code>, order: ({ location }) => location },
    { name: "What", width: "minmax(14rem, 4fr)", cell: ({ message }) => <span title={message}>{message}</span>, order: ({ message }) => message },
  ];
  return <Table label="Findings" rows={findings} columns={columns} onOpen={({ file }) => onOpen(file)} />;
}

function Groups({ groups, codes, onOpen, onExplain }: FindingProps & { readonly groups: readonly Group[]; readonly codes: ReadonlyMap<string, CodeInfo> }): JSX.Element {
  const [open, setOpen] = useState<string | undefined>();
  const chosen = groups.find(({ key }) => key === open);
  const columns: Column<Group>[] = [
    { name: "Group", width: "minmax(8rem, 2fr)", cell: ({ key }) => key, order: ({ key }) => key },
    { name: "Findings", width: "6rem", cell: ({ findings }) => findings.length, order: ({ findings }) => findings.length },
    { name: "Files", width: "5rem", cell: ({ files }) => files, order: ({ files }) => files },
    { name: "Meaning", width: "minmax(14rem, 5fr)", cell: ({ key }) => codes.get(key)?.summary ?? "" },
  ];
  return (
    <>
      <Table label="Groups" rows={groups} columns={columns} onOpen={({ key }) => setOpen(key)} selected={chosen} />
      {chosen && (
        <>
          <h2>
            {chosen.key}: {chosen.findings.length} {chosen.findings.length === 1 ? "finding" : "findings"}
          </h2>
          <Findings findings={chosen.findings} onOpen={onOpen} onExplain={onExplain} />
        </>
      )}
    </>
  );
}

const FORMS: readonly [form: ReportForm, label: string, name: string, type: string][] = [
  ["json", "JSON", "report.json", "application/json"],
  ["jsonl", "JSON lines", "report.jsonl", "application/x-ndjson"],
  ["csv", "CSV of findings", "findings.csv", "text/csv"],
  ["sarif", "SARIF", "report.sarif", "application/sarif+json"],
  ["html", "HTML", "report.html", "text/html"],
  ["markdown", "Markdown", "report.md", "text/markdown"],
  ["junit", "JUnit", "report.xml", "application/xml"],
];

function Exports({ rows, level }: { readonly rows: readonly FileRow[]; readonly level: Level }): JSX.Element {
  const [form, setForm] = useState<ReportForm | "files">("json");
  const give = async (): Promise<void> => {
    if (form === "files") return save("files.csv", "text/csv", [filesToCsv(rows)]);
    const [, , name, type] = FORMS.find(([one]) => one === form) ?? FORMS[0]!;
    save(name, type, await writeReport(form, await judgedOf(rows, level), { expected: rows.length }));
  };
  return (
    <>
      <label>
        Take away{" "}
        <select value={form} onChange={(event) => setForm(event.currentTarget.value as typeof form)}>
          {FORMS.map(([one, label]) => (
            <option key={one} value={one}>
              {label}
            </option>
          ))}
          <option value="files">CSV of files</option>
        </select>
      </label>
      <button disabled={rows.length === 0} onClick={() => void give()}>
        save
      </button>
    </>
  );
}

/** What the report is about: every file that was judged, and those that failed with the reason. The rest is only expected. */
async function judgedOf(rows: readonly FileRow[], level: Level): Promise<Judged[]> {
  const judged = await Promise.all(
    rows.map(async ({ name, report, error, outcome, size }) => {
      if (report) return { report, byteLength: size };
      return outcome === "unreadable" ? { report: await refusedReport(name, level, error ?? "it cannot be read"), byteLength: size } : undefined;
    }),
  );
  return judged.filter((one) => one !== undefined);
}

/** Gives a text to the person as a file; it goes nowhere else. */
export function save(name: string, type: string, content: BlobPart | BlobPart[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(Array.isArray(content) ? content : [content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
