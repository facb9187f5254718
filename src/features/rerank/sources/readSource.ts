import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LastEditor } from '../../../platform/workspace/lastEditor';
import type { Settings } from '../../../platform/settings';
import { UserError } from '../../../platform/errors/userError';
import { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import type { RerankSourceKind } from '../../../protocol/rerank';
import { askFiles, readFiles, readTabs, remarksOn } from './filesSource';
import { mostCharacters } from '../logic/documents';
import type { RerankSource, SourceText } from '../logic/documents';
import { readDocument, readSelection, checkTrust, tooMuch, nameOf } from './editorSource';
import { numberText } from '../../../platform/displayText';
import { openTexts } from '../../../platform/workspace/workspaceTexts';
import { labelled } from '../../../protocol/sentences';
import { askText } from '../../../platform/quickInput';
import { searchLimits, searchWorkspace } from '../../../platform/workspace/workspaceSearch';
import { toTextQuery } from '../../../core/search/textSearch';
import { withProgress } from '../../../platform/notify';

/** Reads what is to be ranked, asking as needed. `undefined` on cancel. */
export async function readSource(
  kind: RerankSourceKind,
  { lastEditor, settings }: { readonly lastEditor: LastEditor; readonly settings: Settings },
  signal?: AbortSignal,
): Promise<RerankSource | undefined> {
  checkTrust();
  switch (kind) {
    case 'selection':
      return readSelection(lastEditor.current());
    case 'file':
      return readDocument(lastEditor.current()?.document);
    case 'tabs':
      return readTabs(await tabGuard(settings), signal);
    case 'files': {
      const uris = await askFiles();
      return uris && readFiles(uris, { signal });
    }
    case 'search':
      return readSearch(await WorkspaceGuard.open(settings));
    case 'problems':
      return readProblems(await tabGuard(settings), signal);
    case 'clipboard':
      return readClipboard();
  }
}

/** Allows files outside the workspace, because the user opened them. */
export function tabGuard(settings: Settings): Promise<WorkspaceGuard> {
  return WorkspaceGuard.open(settings, { allowsElsewhere: true });
}

async function readClipboard(): Promise<RerankSource> {
  const text = await vscode.env.clipboard.readText();
  const name = l10n.t('Clipboard');
  if (text.trim() === '') {
    throw new UserError(l10n.t("The clipboard doesn't contain text"), l10n.t('Copy the text to rank.'));
  }
  if (text.length > mostCharacters) throw tooMuch(name);
  return { kind: 'clipboard', title: name, texts: [{ text, name, languageId: 'plaintext' }], remarks: [] };
}

const mostProblems = 5000;
const codeLimits = { files: 2000, fileBytes: 4 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };

/** Reads the diagnostics, each with its line of code. Throws `UserError` if there are none. */
export async function readProblems(guard: WorkspaceGuard, signal?: AbortSignal): Promise<RerankSource> {
  const all = vscode.languages
    .getDiagnostics()
    .flatMap(([uri, diagnostics]) => diagnostics.map((diagnostic) => ({ uri, diagnostic })));
  if (all.length === 0) {
    throw new UserError(l10n.t('No problems to rank'), l10n.t('Open the files with problems first.'));
  }
  const taken = all.slice(0, mostProblems);
  const lines = await readLines(
    taken.map(({ uri }) => uri),
    guard,
    signal,
  );
  const texts = taken.map(({ uri, diagnostic }) => toText(uri, diagnostic, lines));
  const count = numberText(mostProblems, vscode.env.language);
  const remarks = all.length > taken.length ? [l10n.t('Only the first {0} problems are included.', count)] : [];
  return {
    kind: 'problems',
    title: l10n.t('Problems: {0}', numberText(texts.length, vscode.env.language)),
    texts,
    remarks,
  };
}

type Lines = ReadonlyMap<string, readonly string[]>;

async function readLines(uris: readonly vscode.Uri[], guard: WorkspaceGuard, signal?: AbortSignal): Promise<Lines> {
  const lines = new Map<string, readonly string[]>();
  for await (const { uri, text } of openTexts(uris, { ...codeLimits, guard }, signal).texts) {
    lines.set(uri.toString(), text.split(/\r\n|\r|\n/));
  }
  return lines;
}

function toText(uri: vscode.Uri, { range, severity, source, message }: vscode.Diagnostic, lines: Lines): SourceText {
  const { line, character } = range.start;
  const code = lines.get(uri.toString())?.[line]?.trim() ?? '';
  const from = source === undefined ? '' : `${source}: `;
  const problem = labelled(severities[severity], `${from}${message}`);
  return {
    text: code === '' ? problem : `${problem}\n${code}`,
    name: nameOf(uri),
    at: { uri: uri.toString(), line, character, isAbout: true },
  };
}

/** Sent with the text, so in English, the language of most code and models. */
const severities: { readonly [Severity in vscode.DiagnosticSeverity]: string } = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'info',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

const linesAround = 3;

/** Asks for a search text, and takes each match with the lines around it. `undefined` on cancel. */
async function readSearch(guard: WorkspaceGuard): Promise<RerankSource | undefined> {
  const answer = await askText({
    title: l10n.t('Rank Search Results'),
    prompt: l10n.t('Text, or a regular expression between slashes'),
    placeholder: l10n.t('e.g. timeout or /retry(After|In)/'),
    value: '',
    canGoBack: false,
    check: (value) => (value.trim() === '' ? l10n.t('Enter the text to search for.') : undefined),
  });
  return answer.kind === 'value' ? searchFor(answer.value, guard) : undefined;
}

/** Throws `UserError` if nothing is found. */
export async function searchFor(typed: string, guard: WorkspaceGuard): Promise<RerankSource> {
  const { matches, files, leftOut, isCut } = await searched(typed, guard);
  if (matches.length === 0) {
    throw new UserError(
      l10n.t('No matches for "{0}"', typed),
      l10n.t('Files searched: {0}. Try another search.', numberText(files, vscode.env.language)),
    );
  }
  const texts = matches.map(({ uri, path, firstLine, text }) => ({
    text,
    name: path,
    at: { uri: uri.toString(), line: firstLine, character: 0 },
  }));
  const cut = l10n.t('Only the first {0} matches are included.', numberText(searchLimits.matches, vscode.env.language));
  const remarks = [...(isCut ? [cut] : []), ...remarksOn(leftOut)];
  return { kind: 'search', title: l10n.t('Matches for "{0}"', typed), texts, remarks };
}

function searched(typed: string, guard: WorkspaceGuard) {
  const shown = {
    location: vscode.ProgressLocation.Notification,
    title: l10n.t('Searching the workspace'),
    cancellable: true,
  };
  return withProgress(shown, async (progress, token) => {
    const ending = new AbortController();
    token.onCancellationRequested(() => ending.abort(new vscode.CancellationError()));
    const onProgress = ({ files, of }: { readonly files: number; readonly of: number }) =>
      progress.report({ message: l10n.t('{0} of {1} files', files, of) });
    const query = { ...toTextQuery(typed), linesAround, guard };
    return searchWorkspace(query, searchLimits, { signal: ending.signal, onProgress });
  });
}
