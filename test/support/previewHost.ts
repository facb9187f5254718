import { PreviewFile } from '../../src/core/batch/preview/previewFile';
import type { PreviewLoaded } from '../../src/core/batch/preview/previewFile';
import type { PreviewRow } from '../../src/core/batch/preview/previewRow';
import { defaultSeverities } from '../../src/core/batch/problem';
import type { Handlers } from '../../src/protocol/call';
import type { BatchPreviewScreen, PreviewSummary, PreviewTableRow } from '../../src/protocol/batchPreview';
import type { WireError } from '../../src/protocol/wire';

export interface PreviewHost {
  readonly handlers: Handlers<BatchPreviewScreen>;
  /** The lines that the user went to, from 0. */
  readonly wentTo: readonly number[];
  /** Returns how often rows were requested. */
  readonly fetches: () => number;
  close(): Promise<void>;
}

/** The host's end of a preview, over a real file, with the host's English texts. */
export function createPreviewHost(path: string): PreviewHost {
  const wentTo: number[] = [];
  const stopper = new AbortController();
  let file: PreviewFile | undefined;
  let fetches = 0;
  const open = async (onProgress: (bytes: number, total: number) => void) => {
    const severityOf = (code: keyof typeof defaultSeverities) => defaultSeverities[code];
    return PreviewFile.open(path, { severityOf, models: undefined }, { signal: stopper.signal, onProgress }).catch(
      () => {
        throw gone;
      },
    );
  };
  const opened = () => file ?? Promise.reject(new Error('nothing was read'));
  return {
    wentTo,
    fetches: () => fetches,
    close: async () => file?.close(),
    handlers: {
      'preview/ready': async () => ({
        previewId: 'preview 1',
        name: path.slice(path.lastIndexOf('/') + 1),
        notices: { changed: false, missing: false, unsaved: false },
      }),
      async 'preview/load'({ again }, { emit }) {
        const before = file;
        if (again || !before)
          file = await open((bytes, total) => emit({ part: bytes / total, text: `${bytes} of ${total}` }));
        if (file !== before) await before?.close();
        return summaryOf((await opened()).loaded);
      },
      async 'preview/stop'() {
        stopper.abort();
        return {};
      },
      async 'preview/arrange'({ query, ...choice }, { signal, emit }) {
        const { loaded } = await opened();
        const onProgress = (bytes: number, count: number, show: () => void) => {
          show();
          emit({ part: bytes / loaded.bytes, count, text: `${count} lines found so far` });
        };
        const count = await (await opened()).arrange(choice, query, { signal, onProgress });
        return { count, text: count === loaded.lines ? '' : `${count} of ${loaded.lines} lines` };
      },
      async 'preview/rows'({ from, count }) {
        fetches++;
        return { rows: (await (await opened()).rows(from, count)).rows.map(rowOf) };
      },
      async 'preview/find'({ line }) {
        const index = (await opened()).indexOf(line);
        return index === undefined ? {} : { index };
      },
      async 'preview/line'({ line }) {
        const { omitted, ...read } = await (await opened()).line(line);
        return {
          ...read,
          line,
          messages: (read.raw ? [{ role: '', ...read.raw }] : read.messages).map(({ role, text }) => ({ role, text })),
          ...(omitted > 0 && { omitted: `${omitted} messages are left out here.` }),
          shownFirst: 5,
          ...(read.raw && { note: "The line isn't a JSON object, so it's shown unchanged." }),
          failure: read.answer?.error ?? '',
        };
      },
      async 'preview/goTo'({ line }) {
        wentTo.push(line);
        return {};
      },
    },
  };
}

const gone: WireError = {
  kind: 'user',
  title: 'The file no longer exists',
  detail: 'The file has been moved or deleted.',
  actions: [],
};

function summaryOf({ lines, requests, holds, without, model, isWhole }: PreviewLoaded): PreviewSummary {
  return {
    lines,
    holds,
    facts: [`${requests} requests`, model].filter(Boolean).join(' · '),
    ...(without && { nothing: 'The file is empty. Add one request per line.' }),
    ...(!isWhole && { partial: `The first ${lines} lines are shown.` }),
  };
}

function rowOf({ messages, tokens, bytes, state, ...row }: PreviewRow): PreviewTableRow {
  const tone = state === 'failed' ? 'failed' : state === 'notJson' || state === 'blank' ? 'muted' : 'plain';
  return { ...row, count: String(messages ?? tokens ?? ''), size: `${bytes} B`, tone };
}
