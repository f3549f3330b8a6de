/** The page of a code, in a dialog. */

import { explain } from "medh5-lite";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Show, useLoaded } from "./inspect";

export function ExplainDialog({ code, onClose }: { readonly code: string; readonly onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const page = useLoaded(() => explain(code), [code]);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={`What ${code} means`} onClose={onClose}>
      <Show of={page}>{(text) => <Markdown text={text} />}</Show>
      <button onClick={() => dialog.current?.close()}>close</button>
    </dialog>
  );
}

/** The little Markdown that the pages use: headings, paragraphs, fenced blocks and code in a line. */
function Markdown({ text }: { readonly text: string }): JSX.Element {
  const blocks = text.split(/^(```[\s\S]*?^```)$/m).flatMap((part) => (part.startsWith("```") ? [part] : part.split(/\n{2,}/)));
  return (
    <>
      {blocks.map((block, at) => {
        const trimmed = block.trim();
        if (trimmed === "") return null;
        if (trimmed.startsWith("```")) return <pre key={at}>{trimmed.replace(/^```.*\n|\n?```$/g, "")}</pre>;
        const heading = /^(#+) (.*)$/.exec(trimmed);
        if (heading) return heading[1] === "#" ? <h2 key={at}>{heading[2]}</h2> : <h3 key={at}>{heading[2]}</h3>;
        return <p key={at}>{trimmed.split("`").map((piece, place) => (place % 2 === 1 ? <code key={place}>{piece}</code> : piece))}</p>;
      })}
    </>
  );
}
