/** A pool of workers. A worker that traps or is told to stop is replaced; the other files go on. */

import { isAnswer, type Answer, type Calls, type FileInput, type Method } from "./protocol";

/** A failed call, with the sentence for the person. */
export class CallError extends Error {
  constructor(
    message: string,
    readonly kind: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** How a call is run. */
export interface CallOptions {
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

interface Job {
  readonly file: FileInput;
  readonly method: Method;
  readonly args: unknown;
  readonly options: CallOptions;
  readonly resolve: (value: never) => void;
  readonly reject: (error: CallError) => void;
}

/** Counts what the readers did, for the status line. */
export interface Traffic {
  bytesRead: number;
  /** Requests for parts of files behind links. */
  requests: number;
}

export class Pool {
  readonly traffic: Traffic = { bytesRead: 0, requests: 0 };
  private readonly idle: Slot[] = [];
  private readonly queue: Job[] = [];

  constructor(
    private readonly startWorker: () => Worker,
    private readonly wasm: WebAssembly.Module,
    size: number,
  ) {
    for (let i = 0; i < size; i += 1) this.idle.push(new Slot(() => this.spawn()));
  }

  /** Asks something about a file; calls wait for a free worker. */
  call<M extends Method>(file: FileInput, method: M, args: Calls[M]["args"], options: CallOptions = {}): Promise<Calls[M]["result"]> {
    return new Promise((resolve, reject) => {
      if (options.signal?.aborted) return reject(stopped());
      const job: Job = { file, method, args, options, resolve: resolve as Job["resolve"], reject };
      options.signal?.addEventListener("abort", () => this.drop(job), { once: true });
      this.queue.push(job);
      this.next();
    });
  }

  private spawn(): Worker {
    const worker = this.startWorker();
    worker.postMessage({ wasm: this.wasm });
    return worker;
  }

  private drop(job: Job): void {
    const at = this.queue.indexOf(job);
    if (at >= 0) {
      this.queue.splice(at, 1);
      job.reject(stopped());
    }
  }

  private next(): void {
    const slot = this.idle.pop();
    if (!slot) return;
    const job = this.queue.shift();
    if (!job) {
      this.idle.push(slot);
      return;
    }
    void slot
      .run(job)
      .then(({ bytesRead, requests }) => {
        this.traffic.bytesRead += bytesRead;
        this.traffic.requests += requests;
      })
      .finally(() => {
        this.idle.push(slot);
        this.next();
      });
  }
}

const NOTHING: Traffic = { bytesRead: 0, requests: 0 };

/** One worker at a time, started when first needed. */
class Slot {
  private worker: Worker | undefined;
  private id = 0;

  constructor(private readonly spawn: () => Worker) {}

  /** Runs a job to its end, whatever that is; gives what was read. */
  run(job: Job): Promise<Traffic> {
    const worker = (this.worker ??= this.spawn());
    const id = (this.id += 1);
    return new Promise((done) => {
      const finish = (traffic: Traffic): void => {
        worker.onmessage = worker.onerror = null;
        job.options.signal?.removeEventListener("abort", stop);
        done(traffic);
      };
      const fail = (error: CallError): void => {
        this.discard();
        job.reject(error);
        finish(NOTHING);
      };
      // Nothing else stops a worker that is busy: it hears no message.
      const stop = (): void => fail(stopped());
      job.options.signal?.addEventListener("abort", stop, { once: true });
      worker.onerror = (event) => {
        event.preventDefault();
        fail(new CallError("The reader stopped unexpectedly on this file. Other files are not affected.", "internal", "LITE_TRAP"));
      };
      worker.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (!isAnswer(data) || data.id !== id) return;
        this.hear(data, job, finish);
      };
      worker.postMessage({ id, file: job.file, key: job.options.key, method: job.method, args: job.args });
    });
  }

  private hear(answer: Answer, job: Job, finish: (traffic: Traffic) => void): void {
    switch (answer.kind) {
      case "progress":
        job.options.onProgress?.(answer.bytes);
        return;
      case "done":
        job.resolve(answer.value as never);
        return finish(answer);
      case "failed": {
        const { message, class: kind, code } = answer.error;
        // After a trap the instance cannot be trusted any more.
        if (kind === "internal") this.discard();
        job.reject(new CallError(message, kind, code));
        return finish(NOTHING);
      }
    }
  }

  private discard(): void {
    this.worker?.terminate();
    this.worker = undefined;
  }
}

function stopped(): CallError {
  return new CallError("Stopped on request.", "aborted", "LITE_ABORTED");
}
