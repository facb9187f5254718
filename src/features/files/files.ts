import * as vscode from 'vscode';
import type { RemoteFile } from '../../core/api/files/files.schema';
import { ageWords } from '../../platform/age';
import { registerCommand } from '../../platform/contributions';
import { absoluteTimeText, bytesText, numberText, shortened } from '../../platform/displayText';
import { DisposableStore } from '../../platform/disposables';
import { factsTooltip } from '../../platform/factsTooltip';
import { createListView } from '../../platform/listView';
import type { Feature } from '../../services';

/** The service's own default is 10. Without paging, "more" is asked for by a larger limit. */
const firstLimit = 50;
const growth = 4;

/** The Files view: what was uploaded for batches. */
export const filesFeature: Feature = (services) => {
  const store = new DisposableStore();
  const view = store.add(
    createListView<RemoteFile>(services, {
      viewId: 'inferenceDesk.files',
      rowsKey: 'inferenceDesk.filesRows',
      async load(client, rounds, signal) {
        const limit = firstLimit * growth ** rounds;
        const items = await client.files.list({ limit }, signal);
        return { items, hasMore: items.length >= limit };
      },
      toItem: toFileItem,
      showMore: 'inferenceDesk.files.showMore',
    }),
  );
  store.add(registerCommand(services, 'inferenceDesk.files.refresh', () => view.refresh()));
  store.add(registerCommand(services, 'inferenceDesk.files.showMore', () => view.showMore()));
  store.add(
    registerCommand(services, 'inferenceDesk.files.copyId', async (row) => {
      const file = view.itemOf(row);
      if (file) await vscode.env.clipboard.writeText(file.id);
    }),
  );
  return store;
};

export function toFileItem(file: RemoteFile, now: number): vscode.TreeItem {
  const { language } = vscode.env;
  const { id, bytes, lineCount, purpose } = file;
  const name = file.filename || shortened(id);
  const createdAt = file.createdAt === undefined ? undefined : file.createdAt * 1000;
  const age = createdAt === undefined ? undefined : ageWords(createdAt, now, language);
  const lines =
    lineCount === undefined
      ? undefined
      : lineCount === 1
        ? vscode.l10n.t('1 line')
        : vscode.l10n.t('{0} lines', numberText(lineCount, language));
  const size = bytes === undefined ? undefined : bytesText(bytes, language);

  const item = new vscode.TreeItem(name);
  item.id = id;
  item.contextValue = 'file';
  item.iconPath = new vscode.ThemeIcon('file');
  item.description = [lines, size, age].filter((part) => part !== undefined).join(' · ');
  item.tooltip = factsTooltip(name, [
    [vscode.l10n.t('Id'), id],
    [vscode.l10n.t('Lines'), lineCount === undefined ? undefined : numberText(lineCount, language)],
    [vscode.l10n.t('Size'), sizeFact(bytes, language)],
    [
      vscode.l10n.t('Uploaded'),
      createdAt === undefined ? undefined : `${age}, ${absoluteTimeText(createdAt, language)}`,
    ],
    [vscode.l10n.t('Purpose'), purpose],
  ]);
  item.accessibilityInformation = { label: [name, lines, size, age].filter((part) => part !== undefined).join(', ') };
  return item;
}

function sizeFact(bytes: number | undefined, language: string): string | undefined {
  if (bytes === undefined) return undefined;
  const short = bytesText(bytes, language);
  return bytes < 1000 ? short : vscode.l10n.t('{0} ({1} bytes)', short, numberText(bytes, language));
}
