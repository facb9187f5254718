import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ResultsRow } from '../../../core/batch/results/resultsView';
import { createDebounce } from '../../../platform/debounce';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { askPick } from '../../../platform/quickInput';
import type { PickItem } from '../../../platform/quickInput';
import { UserError } from '../../../platform/errors/userError';
import { editorKey, editorsOf } from '../../../platform/workspace/lastEditor';
import type { Services } from '../../../services/services';
import { runItem } from '../flows/pickRun';
import type { OpenRuns } from '../run/openRuns';
import { registerAnswerProviders, requestLines } from './answerProviders';
import { OpenAnswers } from './fileAnswers';
import { createLinkedRuns, noAnswers } from './linkedRuns';
import type { LinkedRuns } from './linkedRuns';
import { createRunProblems } from './runProblems';

/** Shows answers on the lines of open batch files. */
export interface Answers extends Disposable {
  /** Asks the user for the run whose answers a file shows. */
  choose(file: unknown): Promise<void>;
}

export function createAnswers(services: Services, runs: OpenRuns): Answers {
  const store = new DisposableStore();
  const linked = store.add(createLinkedRuns(services, runs.list));
  const shown = store.add(new OpenAnswers(services, runs, linked));
  store.add(createRunProblems(services, linked, shown));
  store.add(registerAnswerProviders(shown));
  store.add(createStateIcons(shown));
  return {
    async choose(file) {
      const uri = file instanceof vscode.Uri ? file : vscode.window.activeTextEditor?.document.uri;
      if (uri?.scheme !== 'file') throw noFile();
      await linked.refresh();
      await chooseRun(linked, uri.fsPath);
    },
    dispose: () => store.dispose(),
  };
}

async function chooseRun(linked: LinkedRuns, file: string): Promise<void> {
  const runs = linked.of(file);
  if (runs.length === 0) {
    throw new UserError(l10n.t('No runs of this file yet'), l10n.t('Submit or run the file first.'));
  }
  const chosen = linked.chosen(file);
  const mark = (isChosen: boolean) => (isChosen ? { iconPath: new vscode.ThemeIcon('check') } : {});
  const items: PickItem<string>[] = [
    { label: l10n.t('Latest run'), value: 'newest', ...mark(chosen === undefined) },
    { label: l10n.t("Don't show responses"), value: noAnswers, ...mark(chosen === noAnswers) },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    ...runs.map((run) => ({ ...runItem(run), value: run.path, ...mark(chosen === run.path) })),
  ];
  const answer = await askPick({
    title: l10n.t('Responses on Lines'),
    placeholder: l10n.t('Select the run whose responses are shown'),
    canGoBack: false,
    items,
  });
  if (answer.kind === 'value') await linked.choose(file, answer.value === 'newest' ? undefined : answer.value);
}

function noFile(): UserError {
  return new UserError(l10n.t('No batch file is open'), l10n.t('Open a batch file first.'));
}

/** Nobody reads lines while scrolling or typing. */
const restMs = 60;

type IconName = 'answered' | 'failed' | 'incomplete' | 'missing';

/** A path, and its color on a light and on a dark background. */
interface Drawing {
  readonly path: string;
  readonly onLight: string;
  readonly onDark: string;
}

/** Each has a unique shape, for those who don't distinguish the colors. Gray requires no attention. */
const icons: Readonly<Record<IconName, Drawing>> = {
  answered: { path: 'M4 8.5l2.5 2.5L12 5.5', onLight: '#767676', onDark: '#9d9d9d' },
  failed: { path: 'M4.5 4.5l7 7M11.5 4.5l-7 7', onLight: '#c72e0f', onDark: '#f14c4c' },
  incomplete: { path: 'M8 3L13.5 12.5h-11zM8 6.5v3M8 11v.5', onLight: '#855f00', onDark: '#cca700' },
  missing: { path: 'M8 3a5 5 0 1 0 .01 0zM4.5 11.5l7-7', onLight: '#767676', onDark: '#9d9d9d' },
};

function iconOf({ state, isFailed }: ResultsRow): IconName {
  if (isFailed) return 'failed';
  if (state === 'missing') return 'missing';
  return state === 'answered' || state === 'extra' ? 'answered' : 'incomplete';
}

/** Shows in the gutter of open batch files what became of the requests on the visible lines. */
function createStateIcons(shown: OpenAnswers): Disposable {
  const store = new DisposableStore();
  const rests = store.add(createDebounce(restMs));
  const types = Object.entries(icons).map(([name, icon]) => ({ name, type: store.add(typeOf(icon)) }));
  const drawn = new WeakSet<vscode.TextEditor>();
  const show = (editor: vscode.TextEditor, lines: readonly { readonly line: number; readonly icon: IconName }[]) => {
    for (const { name, type } of types) {
      const own = lines.filter(({ icon }) => icon === name);
      editor.setDecorations(
        type,
        own.map(({ line }) => new vscode.Range(line, 0, line, 0)),
      );
    }
  };
  const draw = async (editor: vscode.TextEditor): Promise<void> => {
    const { document, visibleRanges } = editor;
    const answers = shown.place === 'off' ? undefined : shown.of(document);
    if (!answers) {
      if (drawn.delete(editor)) show(editor, []);
      return;
    }
    const { version } = document;
    const lines = visibleRanges.flatMap((range) => requestLines(document, range));
    const rows = await answers.rows(lines.map(({ request }) => request));
    if (document.version !== version || editor.document !== document) return;
    // Responses may have been turned off, or belong to another run, in the meantime: that draws again.
    if (shown.place === 'off' || shown.of(document) !== answers) return;
    drawn.add(editor);
    show(
      editor,
      lines.flatMap(({ line }, index) => {
        const row = rows[index];
        return row ? [{ line, icon: iconOf(row) }] : [];
      }),
    );
  };
  const drawSoon = (editor: vscode.TextEditor) => {
    if (!drawn.has(editor) && !shown.of(editor.document)) return;
    // Rows that can't be read are reported where the responses are shown.
    rests.start(editorKey(editor), () => void draw(editor).catch(() => undefined));
  };
  const drawAll = () => vscode.window.visibleTextEditors.forEach(drawSoon);
  store.add(shown.onDidChange(drawAll));
  store.add(vscode.window.onDidChangeVisibleTextEditors(drawAll));
  store.add(vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => drawSoon(textEditor)));
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => editorsOf(document).forEach(drawSoon)));
  drawAll();
  return store;
}

function typeOf({ path, onLight, onDark }: Drawing): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    gutterIconSize: 'contain',
    light: { gutterIconPath: drawing(path, onLight) },
    dark: { gutterIconPath: drawing(path, onDark) },
  });
}

function drawing(path: string, color: string): vscode.Uri {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="${color}" stroke-width="1.4" ` +
    `stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}
