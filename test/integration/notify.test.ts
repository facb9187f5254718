import { deepEqual, equal, match, ok } from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  codeLens,
  commandLink,
  completionItem,
  createInputBox,
  createLanguageStatusItem,
  createQuickPick,
  createStatusBarItem,
  createTreeView,
  markdown,
  picture,
  setStatusBarMessage,
  showMessage,
  showQuickPick,
  showQuickPicks,
  treeItem,
  withProgress,
} from '../../src/platform/notify';
import { planted } from '../support/hostileService';

const top = new vscode.Range(0, 0, 0, 0);
/** What a text begins with that wants to look like a sign of the editor. */
const badge = '$(verified-filled) acme';

const isInert = (text: string | undefined) => {
  ok(text);
  ok(!/\]\(|\$\(|[\u202E\u200B]/.test(text), text);
};

/** What `window` is given under these names while `act` runs; it answers nothing. */
async function provided(
  names: readonly (keyof typeof vscode.window)[],
  act: () => unknown,
): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  const own = Object.fromEntries(names.map((name) => [name, vscode.window[name]]));
  const taking = (...args: readonly unknown[]) => void all.push(...args);
  Object.assign(vscode.window, Object.fromEntries(names.map((name) => [name, taking])));
  try {
    await act();
  } finally {
    Object.assign(vscode.window, own);
  }
  return Promise.all(all);
}

/** Every text in it, however deep. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

describe('text shown by VS Code', () => {
  it('shows no icons or links in messages and their buttons', async () => {
    const shown = await provided(['showInformationMessage', 'showWarningMessage', 'showErrorMessage'], async () => {
      for (const kind of ['information', 'warning', 'error'] as const) {
        await showMessage(kind, planted('message'), planted('button'));
        await showMessage(kind, planted('dialog'), { modal: true }, { title: planted('item') });
      }
    });
    const texts = shown.flatMap((one) =>
      typeof one === 'string' ? one : ((one as Partial<vscode.MessageItem>).title ?? []),
    );
    equal(texts.length, 12);
    for (const text of texts) isInert(text);
  });

  it('shows no icons or links in progress, except our own link', async () => {
    const reported: (string | undefined)[] = [];
    const own = vscode.window.withProgress;
    const source = new vscode.CancellationTokenSource();
    Object.assign(vscode.window, {
      withProgress: (options: vscode.ProgressOptions, work: Parameters<typeof own>[1]) => {
        reported.push(options.title);
        return work({ report: ({ message }) => void reported.push(message) }, source.token);
      },
    });
    try {
      await withProgress(
        { location: vscode.ProgressLocation.Notification, title: planted('title') },
        async (progress) => {
          progress.report({ message: planted('progress') });
          const link = { label: 'Show [log]', command: 'inferenceDesk.showLog' } as const;
          progress.report({ message: planted('progress'), link });
        },
      );
    } finally {
      Object.assign(vscode.window, { withProgress: own });
      source.dispose();
    }
    equal(reported.length, 3);
    isInert(reported[0]);
    isInert(reported[1]);
    const [words, link, ...others] = (reported[2] ?? '').split(' · ');
    isInert(words);
    equal(link, '[Show log](command:inferenceDesk.showLog)');
    deepEqual(others, []);
  });

  it('shows no icons or links in input boxes, lists, views, and the status bar', async () => {
    const input = createInputBox();
    const pick = createQuickPick();
    const status = createStatusBarItem('inferenceDesk.test', vscode.StatusBarAlignment.Left);
    const language = createLanguageStatusItem('inferenceDesk.test', '*');
    const row = treeItem('');
    const text = planted('words');
    input.title = input.prompt = input.placeholder = pick.title = pick.placeholder = text;
    status.name = status.text = language.name = language.text = language.detail = text;
    input.validationMessage = text;
    const { title, prompt, placeholder, validationMessage } = input;
    for (const shown of [title, prompt, placeholder, validationMessage as string]) isInert(shown);
    input.validationMessage = { message: text, severity: vscode.InputBoxValidationSeverity.Error };
    isInert((input.validationMessage as unknown as vscode.InputBoxValidationMessage).message);
    for (const shown of [pick.title, pick.placeholder, status.name, status.text, language.name]) isInert(shown);
    for (const shown of [language.text, language.detail]) isInert(shown);
    for (const place of [status, row]) {
      place.tooltip = text;
      // Drawn as plain text, where only what cannot be seen does harm.
      ok(!/[\u202E\u200B]/.test(place.tooltip as string));
    }
    for (const made of [input, pick, status, language]) made.dispose();
    const item = () => ({ label: text, description: text, detail: text });
    const options = { title: text, placeHolder: text };
    const lists = await provided(['showQuickPick'], async () => {
      await showQuickPick([item()], options);
      await showQuickPicks([item()], options);
    });
    const reported = await provided(['setStatusBarMessage'], () => setStatusBarMessage(text, 1));
    equal(textsIn(lists).length, 10);
    for (const shown of [...textsIn(lists), ...textsIn(reported)]) isInert(shown);
    const { createTreeView: own } = vscode.window;
    Object.assign(vscode.window, { createTreeView: () => ({}) });
    try {
      const tree = createTreeView('inferenceDesk.test', {
        treeDataProvider: { getChildren: () => [], getTreeItem: () => row },
      });
      tree.title = tree.description = tree.message = text;
      for (const shown of [tree.title, tree.description, tree.message]) isInert(shown);
    } finally {
      Object.assign(vscode.window, { createTreeView: own });
    }
  });

  it('shows inserted text literally in Markdown', () => {
    const { value } = markdown`**${planted('tooltip')}** ${7}`;
    ok(!/(?<!\\)[[\]()<>!$]|https?:|command:|file:|[\u202E\u200B]/.test(value), value);
  });

  it('shows no icons or links in lists, lenses, and rows, except ours', () => {
    const pick = createQuickPick();
    for (const text of [badge, planted('pick')]) {
      pick.items = [
        { label: text, description: text, detail: text, iconPath: new vscode.ThemeIcon('mic'), alwaysShow: true },
      ];
      const [{ label, description, detail } = { label: '' }] = pick.items;
      for (const shown of [label, description, detail]) isInert(shown);
      isInert(codeLens(top, { title: text, command: 'x' }).command?.title);
      isInert(completionItem(text, vscode.CompletionItemKind.Value).label as string);
      const row = treeItem(text);
      isInert(row.label as string);
      row.label = text;
      isInert(row.label);
      row.description = text;
      isInert(row.description);
    }
    pick.dispose();
    equal(codeLens(top, { title: 'Stop', icon: 'debug-stop', command: 'x' }).command?.title, '$(debug-stop) Stop');
    const status = createStatusBarItem('inferenceDesk.test', vscode.StatusBarAlignment.Left);
    status.text = `$(sparkle) ${badge}`;
    equal(status.text, '$(sparkle) $ (verified-filled) acme');
    status.dispose();
  });

  it('writes text unchanged into a document', () => {
    const { insertText, filterText } = completionItem(badge, vscode.CompletionItemKind.Value);
    deepEqual([insertText, filterText], [badge, badge]);
  });

  it('passes arguments of our links unchanged', () => {
    const odd = `a)'*!~(b "c" [d](command:x)`;
    const { value } = commandLink('Open', 'inferenceDesk.batches.openResults', '/folder', odd);
    const [, query = ''] = /^\[Open\]\(command:inferenceDesk\.batches\.openResults\?([\w%.-]+)\)$/.exec(value) ?? [];
    deepEqual(JSON.parse(decodeURIComponent(query)), ['/folder', odd]);
    match(picture('/tmp/a(b)|c.png', { width: 1, height: 1 }).value, /^!\[\]\(file:[^()|]+\|width=1,height=1\)$/);
  });

  it('starts no Markdown block after an invisible character', () => {
    equal(markdown`${'\u200B    x'}`.value, '&nbsp;&nbsp;&nbsp;&nbsp;x');
  });
});
