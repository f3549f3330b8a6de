/**
 * The content security policy, before anything else loads: nothing may be fetched but this page's own files and, if the
 * person gave a link to a file, that link's origin.
 */

const own = location.protocol === "file:" ? "data: blob:" : "'self' data: blob:";
const fileOrigin = originOf(new URLSearchParams(location.search).get("url"));
const policy = [
  "default-src 'none'",
  `script-src ${own} 'wasm-unsafe-eval'${location.protocol === "file:" ? " 'unsafe-inline'" : ""}`,
  `style-src ${own} 'unsafe-inline'`,
  "img-src data: blob:",
  "worker-src blob: data: 'self'",
  `connect-src ${own}${fileOrigin ? ` ${fileOrigin}` : ""}`,
  "form-action 'none'",
  "base-uri 'none'",
].join("; ");
const meta = document.createElement("meta");
meta.httpEquiv = "Content-Security-Policy";
meta.content = policy;
document.head.append(meta);

function originOf(link: string | null): string | undefined {
  if (!link) return undefined;
  try {
    const { protocol, origin: found } = new URL(link, location.href);
    return protocol === "https:" || protocol === "http:" ? found : undefined;
  } catch {
    return undefined;
  }
}

export {};
