import { deepEqual, equal, match, ok } from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  codeLens,
  commandLink,
  completionItem,
  createQuickPick,
  createStatusBarItem,
  markdown,
  picture,
  treeItem,
} from '../../src/platform/notify';
import { planted } from '../support/hostileService';

const top = new vscode.Range(0, 0, 0, 0);
/** What a text begins with that wants to look like a sign of the editor. */
const badge = '$(verified-filled) acme';

const isInert = (text: string | undefined) => {
  ok(text);
  ok(!/\]\(|\$\(|[\u202E\u200B]/.test(text), text);
};

describe('what passes the door to the editor', () => {
  it('brings no icon and no link into lists, lenses and rows; ours stay', () => {
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

  it('goes into a document as it is, however it is drawn', () => {
    const { insertText, filterText } = completionItem(badge, vscode.CompletionItemKind.Value);
    deepEqual([insertText, filterText], [badge, badge]);
  });

  it('ends no link of ours: its arguments arrive whole', () => {
    const odd = `a)'*!~(b "c" [d](command:x)`;
    const { value } = commandLink('Open', 'inferenceDesk.batches.openResults', '/folder', odd);
    const [, query = ''] = /^\[Open\]\(command:inferenceDesk\.batches\.openResults\?([\w%.-]+)\)$/.exec(value) ?? [];
    deepEqual(JSON.parse(decodeURIComponent(query)), ['/folder', odd]);
    match(picture('/tmp/a(b)|c.png', { width: 1, height: 1 }).value, /^!\[\]\(file:[^()|]+\|width=1,height=1\)$/);
  });

  it('starts no block of Markdown behind a sign that is not drawn', () => {
    equal(markdown`${'\u200B    x'}`.value, '&nbsp;&nbsp;&nbsp;&nbsp;x');
  });
});
