/** The page: open files, see verdicts, look into one. */

import type { CodeInfo, Level, Version } from "medh5-lite";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { outcomeOf, type FileRow } from "./model/findings";
import { bytes, seconds } from "./model/format";
import { AuditPanel, type AuditState } from "./panels/audit";
import { ExplainDialog } from "./panels/explain";
import { InspectPanel, type Ask, type Target } from "./panels/inspect";
import { LookPanel } from "./panels/look";
import { ValidatePanel } from "./panels/validate";
import { CallError, type Pool } from "./reader/pool";
import { fromDrop, fromPicker, type Gathered } from "./reader/inputs";
import type { FileInput } from "./reader/protocol";

interface Props {
  readonly pool: Pool;
  readonly reader: Pool;
  readonly version: Version;
  readonly codes: ReadonlyMap<string, CodeInfo>;
}

const LEVELS: readonly Level[] = ["structural", "semantic", "integrity", "strict"];

/** A run of validations. */
interface Run {
  readonly controller: AbortController;
  readonly startedAt: number;
}

export function App({ pool, reader, version, codes }: Props): JSX.Element {
  const [files, setFiles] = useState<readonly FileInput[]>([]);
  const [rows, setRows] = useState<readonly FileRow[]>([]);
  const [level, setLevel] = useState<Level>("semantic");
  const [run, setRun] = useState<Run | undefined>();
  const [looked, setLooked] = useState(0);
  const [note, setNote] = useState("");
  const [offer, setOffer] = useState<{ file: FileInput; reason: string } | undefined>();
  const [target, setTarget] = useState<Target | undefined>();
  const [tab, setTab] = useState<"validate" | "audit" | "inspect" | "look">("validate");
  const [audited, setAudited] = useState<AuditState | undefined>();
  const [chosen, setChosen] = useState<{ file: FileInput; key: string | undefined } | undefined>();
  const [explained, setExplained] = useState<string | undefined>();
  const [isDragging, setDragging] = useState(false);
  const pending = useRef(new Map<string, FileRow>());

  const add = (found: Gathered): void => {
    const skipped = found.seen - found.files.length;
    const unreadable = found.unreadable.length > 0 ? ` ${found.unreadable.length} could not be read: ${found.unreadable.slice(0, 5).join(", ")}.` : "";
    setNote(`${found.seen} ${found.seen === 1 ? "file" : "files"} found, ${found.files.length} of them MEDH5${skipped > 0 ? ` (${skipped} of other kinds left out)` : ""}.${unreadable}`);
    setTab("validate");
    if (found.files.length > 0) void validate(found.files, level);
    else setRows([]);
  };

  /** Rows are shown ten times a second at most, however fast files finish. */
  const report = (row: FileRow): void => {
    if (pending.current.size === 0) setTimeout(() => {
      const fresh = new Map(pending.current);
      pending.current.clear();
      setRows((old) => old.map((one) => fresh.get(one.name) ?? one));
    }, 100);
    pending.current.set(row.name, row);
  };

  const validate = async (list: readonly FileInput[], at: Level): Promise<void> => {
    run?.controller.abort();
    const controller = new AbortController();
    setFiles(list);
    for (const { traffic } of [pool, reader]) traffic.bytesRead = traffic.requests = 0;
    setOffer(undefined);
    setRows(list.map((file) => ({ name: file.name, size: sizeOf(file), outcome: "waiting" })));
    setRun({ controller, startedAt: performance.now() });
    setLooked(0);
    const progress = new Map<string, number>();
    await Promise.all(
      list.map(async (file) => {
        const base = { name: file.name, size: sizeOf(file) };
        try {
          const onProgress = (count: number): void => {
            progress.set(file.name, count);
            setLooked([...progress.values()].reduce((sum, one) => sum + one, 0));
            report({ ...base, outcome: "running" });
          };
          const { report: found, seconds: time } = await pool.call(file, "validate", { level: at }, { signal: controller.signal, onProgress });
          report({ ...base, outcome: outcomeOf(found), report: found, seconds: time });
        } catch (error) {
          const isStopped = error instanceof CallError && error.kind === "aborted";
          if (error instanceof CallError && error.code === "LITE_HTTP_NO_RANGES") setOffer({ file, reason: error.message });
          report({ ...base, outcome: isStopped ? "stopped" : "unreadable", error: error instanceof Error ? error.message : String(error) });
        }
      }),
    );
    setRun((now) => (now?.controller === controller ? undefined : now));
  };

  const openUrl = (link: string): void => {
    const url = new URL(link, location.href);
    const allowed = new URLSearchParams(location.search).get("url");
    // The policy of this page only lets in the origin it was loaded with.
    if (allowed === null || new URL(allowed, location.href).origin !== url.origin) {
      location.search = `?url=${encodeURIComponent(url.href)}`;
      return;
    }
    void validate([{ name: url.href, data: url.href }], level);
  };

  useEffect(() => {
    const link = new URLSearchParams(location.search).get("url");
    if (link) openUrl(link);
    const over = (event: DragEvent): void => {
      event.preventDefault();
      setDragging(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setDragging(false);
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
    };
  }, []);

  useEffect(() => {
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      setDragging(false);
      if (event.dataTransfer) void fromDrop(event.dataTransfer).then(add);
    };
    document.addEventListener("drop", drop);
    return () => document.removeEventListener("drop", drop);
  });

  const ask: Ask = (method, args, options) => {
    if (!chosen) return Promise.reject(new Error("No file is chosen."));
    return reader.call(chosen.file, method, args, { key: chosen.key, ...options });
  };
  const choose = (name: string, key?: string): void => {
    const file = files.find((one) => one.name === name);
    if (!file) return;
    setChosen({ file, key });
    setTarget(undefined);
    setTab("inspect");
  };
  const requests = pool.traffic.requests + reader.traffic.requests;
  const done = rows.filter(({ outcome }) => outcome !== "waiting" && outcome !== "running").length;
  const tabs = [
    ["validate", "Verdicts"],
    ["audit", "Audit"],
    ["inspect", "Inspect"],
    ["look", "Images"],
  ] as const;
  return (
    <div class={isDragging ? "dragging" : ""}>
      <header>
        <h1>MEDH5: check and look</h1>
        <div class="drop" role="region" aria-label="Open files">
          <p>
            Drop files or folders anywhere. They are read on this machine and <strong>never leave it</strong>; bytes sent: <strong>0</strong>. <span class="faint">Some browsers call choosing a folder an “upload”. Nothing is uploaded.</span>
          </p>
          <div class="bar">
            <label class="button primary">
              Choose files…
              <input class="hidden" type="file" multiple accept=".medh5,.medh5c" onChange={(event) => add(fromPicker(event.currentTarget.files ?? []))} />
            </label>
            <label class="button">
              Choose a folder…
              <input class="hidden" type="file" multiple {...{ webkitdirectory: true }} onChange={(event) => add(fromPicker(event.currentTarget.files ?? []))} />
            </label>
            <form
              onSubmit={(event) => {
                event.preventDefault();
                const link = new FormData(event.currentTarget).get("link");
                if (typeof link === "string" && link !== "") openUrl(link);
              }}
            >
              <label>
                or a link <input type="url" name="link" placeholder="https://…" />
              </label>{" "}
              <button>open</button>
            </form>
            <label>
              Level{" "}
              <select value={level} onChange={(event) => setLevel(event.currentTarget.value as Level)}>
                {LEVELS.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            </label>
            <button disabled={files.length === 0 || run !== undefined} onClick={() => void validate(files, level)}>
              check again
            </button>
          </div>
          {note && <p role="status">{note}</p>}
        </div>
        {offer && (
          <p class="bar" role="alert">
            {offer.reason} <button onClick={() => void validate([{ ...offer.file, isWholeWanted: true }], level)}>download all of it</button>
            <button onClick={() => setOffer(undefined)}>leave it</button>
          </p>
        )}
        {run && (
          <div class="bar" role="status">
            <progress max={rows.length} value={done} aria-label="Files checked" />
            {done} of {rows.length} files, {bytes(looked)} of values looked at, {seconds((performance.now() - run.startedAt) / 1000)}
            <button onClick={() => run.controller.abort()}>stop</button>
          </div>
        )}
        <nav class="bar" role="tablist" aria-label="Views">
          {tabs.map(([name, label]) => (
            <button key={name} role="tab" aria-selected={tab === name} disabled={name === "audit" ? files.length === 0 : name !== "validate" && !chosen} onClick={() => setTab(name)}>
              {label}
            </button>
          ))}
        </nav>
      </header>
      <main>
        {tab === "validate" && <ValidatePanel rows={rows} level={level} version={version} codes={codes} onOpen={choose} onExplain={setExplained} />}
        {tab === "audit" && <AuditPanel files={files} pool={pool} state={audited} onState={setAudited} onOpen={choose} />}
        {tab === "inspect" && chosen && (
          <InspectPanel
            file={chosen.file}
            sampleKey={chosen.key}
            ask={ask}
            onKey={(key) => setChosen({ ...chosen, key })}
            onLook={(place) => {
              setTarget(place);
              setTab("look");
            }}
          />
        )}
        {tab === "look" && chosen && <LookPanel file={chosen.file} sampleKey={chosen.key} ask={ask} target={target} />}
      </main>
      <footer class="faint">
        <p>
          {version.name} {version.version}. {readSoFar(pool.traffic.bytesRead + reader.traffic.bytesRead, files)}
          {requests > 0 && ` ${requests} requests for parts of the linked file; nothing else was sent to its server.`}
        </p>
      </footer>
      {explained && <ExplainDialog code={explained} onClose={() => setExplained(undefined)} />}
    </div>
  );
}

/** How much was read of how much. Workers read for themselves, so that small files are read more than once. */
function readSoFar(read: number, files: readonly FileInput[]): string {
  const sizes = files.map(sizeOf);
  if (sizes.includes(undefined)) return `Read so far: ${bytes(read)}.`;
  const all = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  return `Read so far: ${bytes(read)}${read > all ? ", some of it more than once," : ""} of ${bytes(all)}.`;
}

function sizeOf(file: FileInput): number | undefined {
  return file.data instanceof Blob ? file.data.size : undefined;
}
