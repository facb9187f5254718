import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { env } from 'vscode';
import { commandTitle } from '../../../platform/contributions';
import { type Disposable, DisposableStore } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import type { Settings } from '../../../platform/settings';
import { listText } from '../../../protocol/formats';
import { stillStands } from '../editor/liveRange';
import type { RerankSource, SourceText } from '../logic/documents';
import { readDocument } from './editorSource';
import { readFiles } from './filesSource';
import { tabGuard } from './readSource';

/** Debounce, because the whole text is compared. */
const quietMs = 300;
const mostNames = 3;

/** Watches whether the texts of a source are unchanged in their editors. Ignores files that are not open. */
export interface SourceWatch extends Disposable {
  /** Localized; `undefined` while nothing has changed. */
  readonly changed: string | undefined;
}

export function watchSource(source: RerankSource, onChange: () => void): SourceWatch {
  const store = new DisposableStore();
  const byUri = new Map<string, SourceText[]>();
  for (const text of source.texts) {
    if (text.at && !text.at.isAbout) byUri.set(text.at.uri, [...(byUri.get(text.at.uri) ?? []), text]);
  }
  const others = new Set<string>();
  const waiting = new Map<string, NodeJS.Timeout>();

  const look = (document: vscode.TextDocument) => {
    const uri = document.uri.toString();
    const texts = byUri.get(uri) ?? [];
    const isOther = texts.some((text) => !stillStands(document, source, text));
    if (isOther === others.has(uri)) return;
    if (isOther) others.add(uri);
    else others.delete(uri);
    onChange();
  };
  const lookLater = (document: vscode.TextDocument) => {
    const uri = document.uri.toString();
    if (!byUri.has(uri)) return;
    clearTimeout(waiting.get(uri));
    waiting.set(
      uri,
      setTimeout(() => look(document), quietMs),
    );
  };
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => lookLater(document)));
  store.add(vscode.workspace.onDidOpenTextDocument(lookLater));
  store.add({ dispose: () => waiting.forEach((timer) => clearTimeout(timer)) });
  for (const document of vscode.workspace.textDocuments) lookLater(document);

  return {
    get changed() {
      if (others.size === 0) return undefined;
      const names = [...new Set([...others].flatMap((uri) => byUri.get(uri)?.[0]?.name ?? []))];
      const shown = listText([...names.slice(0, mostNames), names.length > mostNames ? '…' : ''], env.language);
      return source.kind === 'selection'
        ? l10n.t(
            '{0} has changed. To rank it again, select it and run "{1}".',
            shown,
            commandTitle('inferenceDesk.rerank.selection'),
          )
        : l10n.t('Changed since it was read: {0}. The ranking uses the earlier version.', shown);
    },
    dispose: () => store.dispose(),
  };
}

/** Whether the first text of a source is still in its editor. */
export function isStillOpen(source: RerankSource): boolean {
  const [text] = source.texts;
  const document = text?.at && documentOf(text.at.uri);
  return text !== undefined && document !== undefined && stillStands(document, source, text);
}

/** Whether `readAsNow` can read the source again. */
export function isReadAgain({ kind }: RerankSource): boolean {
  return kind === 'file' || kind === 'tabs' || kind === 'files';
}

/** Reads the texts of a source as they are now; `undefined` if that needs the user's choice. Throws `UserError` if the file was closed. */
export async function readAsNow(source: RerankSource, settings: Settings): Promise<RerankSource | undefined> {
  if (!isReadAgain(source)) return undefined;
  const uris = source.texts.flatMap(({ at }) => (at ? [vscode.Uri.parse(at.uri, true)] : []));
  const open = source.kind === 'file' && uris[0] ? documentOf(uris[0].toString()) : undefined;
  if (source.kind === 'file' && !open) {
    throw new UserError(l10n.t('The file is no longer open'), l10n.t('Open the file again.'));
  }
  if (open) return readDocument(open);
  const limits = source.kind === 'tabs' ? { guard: await tabGuard(settings) } : {};
  return { ...(await readFiles(uris, limits)), kind: source.kind, title: source.title };
}

/** Whether the first text can be written, as far as is known. */
export function isWritable({ texts }: RerankSource): boolean {
  const uri = texts[0]?.at && vscode.Uri.parse(texts[0].at.uri, true);
  if (!uri) return false;
  return uri.scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true;
}

function documentOf(uri: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri);
}
