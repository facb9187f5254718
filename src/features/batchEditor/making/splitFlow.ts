import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { BatchRules } from '../../../core/batch/services/batchRules';
import { splitFile } from '../../../core/batch/transform/split';
import type { PartBounds, SplitKey } from '../../../core/batch/transform/split';
import { bytesText, numberText } from '../../../platform/displayText';
import { askPick, askText } from '../../../platform/quickInput';
import { parseBytes, parseCount } from '../logic/amounts';
import { jsonLines, sourceFile } from './sourceFiles';
import { tellWritten, withWriting } from '../../../platform/workspace/written';
import { labelled } from '../../../protocol/sentences';
import { showMessage } from '../../../platform/notify';
import { foreign } from '../../../core/text/foreignText';

type Splitting = PartBounds | { readonly by: SplitKey };

/** Writes the parts beside their file. Asks once before replacing any existing files, and how to split unless `by` says it. */
export async function splitFlow(argument: unknown, by: unknown, rules: BatchRules): Promise<void> {
  const title = l10n.t('Split Batch File');
  const file = await sourceFile(argument, { title, filters: jsonLines });
  if (file === undefined) return;
  const splitting: Splitting | undefined =
    by === 'url' || by === 'model' ? { by } : await askSplitting(labelled(title, path.basename(file)), rules);
  if (!splitting) return;
  const { size } = await stat(file);
  const name = path.basename(file);
  const folder = path.dirname(file);
  const parts = await withWriting(l10n.t('Splitting {0}', foreign(name)), size, (options) =>
    splitFile(file, { ...options, ...splitting, folder, confirm: askReplace }),
  );
  const [first] = parts ?? [];
  if (!parts || !first) return;
  if (parts.length === 1) {
    void showMessage('information', l10n.t("{0} doesn't need to be split.", foreign(name)));
    return;
  }
  const last = path.basename(parts.at(-1)!.path);
  const count = numberText(parts.length, vscode.env.language);
  tellWritten(
    vscode.Uri.file(first.path),
    l10n.t('Split {0} into {1} files: {2} to {3}.', foreign(name), count, foreign(path.basename(first.path)), last),
  );
}

async function askSplitting(title: string, { requests, bytes }: BatchRules): Promise<Splitting | undefined> {
  const { language } = vscode.env;
  for (;;) {
    const way = await askPick<'service' | 'lines' | 'bytes' | SplitKey>({
      title,
      placeholder: l10n.t('Select how to split the file'),
      canGoBack: false,
      items: [
        ...(requests === undefined || bytes === undefined
          ? []
          : [
              {
                label: l10n.t('Largest size the service accepts'),
                detail: l10n.t(
                  'Up to {0} requests and {1} each',
                  numberText(requests, language),
                  bytes === 1024 ** 3 ? '1 GB' : bytesText(bytes, language),
                ),
                value: 'service' as const,
              },
            ]),
        { label: l10n.t('Set Number of Requests…'), value: 'lines' },
        { label: l10n.t('Set Size…'), value: 'bytes' },
        { label: l10n.t('One File per URL'), value: 'url' },
        { label: l10n.t('One File per Model'), value: 'model' },
      ],
    });
    if (way.kind !== 'value') return undefined;
    if (way.value === 'service') return { ...(requests && { maxLines: requests }), ...(bytes && { maxBytes: bytes }) };
    if (way.value === 'url' || way.value === 'model') return { by: way.value };
    const typed = await (way.value === 'lines' ? askLines(title, requests) : askBytes(title));
    if (typed.kind === 'cancelled') return undefined;
    if (typed.kind === 'back') continue;
    const amount = way.value === 'lines' ? parseCount(typed.value) : parseBytes(typed.value);
    if (amount !== undefined) return way.value === 'lines' ? { maxLines: amount } : { maxBytes: amount };
  }
}

function askLines(title: string, most = 1000) {
  return askText({
    title,
    prompt: l10n.t('Maximum number of requests in each part'),
    value: String(most),
    canGoBack: true,
    check: (text) => (parseCount(text) === undefined ? l10n.t('Enter a whole number of 1 or more.') : undefined),
  });
}

function askBytes(title: string) {
  return askText({
    title,
    prompt: l10n.t('Maximum size per part, e.g. 100 MB'),
    value: '1 GB',
    canGoBack: true,
    check: (text) => (parseBytes(text) === undefined ? l10n.t('Enter a size, such as 500 KB or 1 GB.') : undefined),
  });
}

async function askReplace(existing: readonly string[]): Promise<boolean> {
  const replace = l10n.t('Replace');
  const names = existing.map((file) => path.basename(file));
  const detail = [...names.slice(0, 10), ...(names.length > 10 ? ['…'] : [])].join('\n');
  const question = l10n.t('Replace existing files?');
  return (await showMessage('warning', question, { modal: true, detail }, replace)) === replace;
}
