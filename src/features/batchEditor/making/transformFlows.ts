import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { BatchRules } from '../../../core/batch/services/batchRules';
import { splitFile, type PartBounds, type SplitKey } from '../../../core/batch/transform/split';
import { numberText, bytesText } from '../../../platform/displayText';
import type { CommandId } from '../../../platform/commands';
import { commandTitle } from '../../../platform/contributions';
import { showMessage } from '../../../platform/notify';
import { askPick, askText, type PickItem, type StepResult } from '../../../platform/quickInput';
import { UserError } from '../../../platform/errors/userError';
import { labelled, sentences } from '../../../protocol/sentences';
import { parseSampleSize, parseSeed, parseBytes, parseCount } from '../logic/amounts';
import type { Memory } from '../logic/remembered';
import { jsonLines, sourceFile, sourceFiles } from './sourceFiles';
import { askTarget, besideOf, type Target } from '../../../platform/workspace/writeTarget';
import { showWritten, tellWritten, withWriting } from '../../../platform/workspace/written';
import { foreign } from '../../../core/text/foreignText';
import {
  dropDuplicates,
  mergeFiles,
  sampleFile,
  shuffleFile,
  type Sameness,
} from '../../../core/batch/transform/transforms';
import type { WriteOptions } from '../../../core/batch/transform/writeLines';
import type { LineForm } from '../../../core/batch/fixes/foreign/toRequest';
import { batchServices, unknownService } from '../../../core/batch/services/batchServices';
import { convertFile, type ConversionResult, type ConversionTarget } from '../../../core/batch/transform/convertFile';
import { writtenWayFor } from '../../../core/batch/writtenWay';
import { listText } from '../../../protocol/formats';
import { countedNames } from '../fixes/fixes';

type Transformation = Extract<CommandId, `inferenceDesk.batchFile.${string}`>;

/** The changes to one file that can be chosen. Those of the last group edit the file in the active editor; the others write a new one. */
export async function transformFlow(argument: unknown): Promise<void> {
  const title = l10n.t('Transform Batch File');
  const file = await sourceFile(argument, { title, filters: jsonLines, takesUnsaved: true });
  if (file === undefined) return;
  const isActive = vscode.window.activeTextEditor?.document.uri.fsPath === file;
  const item = (id: Transformation, icon: string, detail: string): PickItem<Transformation> => ({
    iconPath: new vscode.ThemeIcon(icon),
    label: commandTitle(id),
    detail,
    value: id,
  });
  const answer = await askPick<Transformation>({
    title,
    placeholder: l10n.t('Select a change to {0}', foreign(path.basename(file))),
    canGoBack: false,
    canFilter: true,
    items: [
      { label: l10n.t('New File'), kind: vscode.QuickPickItemKind.Separator },
      item('inferenceDesk.batchFile.split', 'split-horizontal', l10n.t('Several files by size, URL, or model')),
      item('inferenceDesk.batchFile.merge', 'merge', l10n.t('From this and other batch files')),
      item('inferenceDesk.batchFile.sample', 'filter', l10n.t('Random sample of requests')),
      item('inferenceDesk.batchFile.shuffle', 'arrow-both', l10n.t('All requests in random order')),
      item('inferenceDesk.batchFile.dropDuplicates', 'trash', l10n.t('Keep only the first of duplicate requests')),
      item('inferenceDesk.batchFile.convertFor', 'arrow-swap', l10n.t('The format of another batch service')),
      ...(isActive
        ? [
            { label: l10n.t('Edit This File'), kind: vscode.QuickPickItemKind.Separator },
            item('inferenceDesk.batchFile.setModel', 'symbol-class', l10n.t('Use one model for all requests')),
            item(
              'inferenceDesk.batchFile.numberIds',
              'list-ordered',
              l10n.t('Number the custom_id values of all requests'),
            ),
            item('inferenceDesk.batchFile.makeIdsUnique', 'key', l10n.t('Assign a new custom_id to each duplicate')),
            item('inferenceDesk.batchFile.convertLines', 'json', l10n.t('Turn lines in other formats into requests')),
          ]
        : []),
    ],
  });
  if (answer.kind === 'value') await vscode.commands.executeCommand(answer.value, vscode.Uri.file(file));
}

export async function mergeFlow(argument: unknown, all: unknown): Promise<void> {
  const title = l10n.t('Merge Batch Files');
  const files = await sourceFiles(argument, all, { title, filters: jsonLines });
  const [first] = files ?? [];
  if (!files || first === undefined) return;
  if (files.length < 2) {
    throw new UserError(l10n.t('Too few files'), l10n.t('Choose at least two files.'));
  }
  const target = await askTarget(title, besideOf(first, 'merged'));
  if (target.kind === 'value') await write(files, target.value, (options) => mergeFiles(files, options));
}

export async function sampleFlow(argument: unknown, memory: Memory): Promise<void> {
  const title = l10n.t('Extract Sample');
  const file = await sourceFile(argument, { title, filters: jsonLines });
  if (file === undefined) return;
  const size = await askText({
    title,
    prompt: l10n.t('Number or percentage of requests from {0}, e.g. 10%.', foreign(path.basename(file))),
    value: '100',
    canGoBack: false,
    check: (text) => (parseSampleSize(text) ? undefined : l10n.t('Enter a number of 1 or more, or a percentage.')),
  });
  if (size.kind !== 'value') return;
  const sample = parseSampleSize(size.value);
  if (!sample) return;
  const chosen = await askSeedAndTarget(title, memory, besideOf(file, 'sample'));
  if (!chosen) return;
  const { seed, target } = chosen;
  await write([file], target, (options) => sampleFile(file, { ...sample, seed }, options));
}

export async function shuffleFlow(argument: unknown, memory: Memory): Promise<void> {
  const title = l10n.t('Shuffle Batch File');
  const file = await sourceFile(argument, { title, filters: jsonLines });
  if (file === undefined) return;
  const chosen = await askSeedAndTarget(title, memory, besideOf(file, 'shuffled'));
  if (!chosen) return;
  const { seed, target } = chosen;
  await write([file], target, (options) => shuffleFile(file, seed, options));
}

export async function dropFlow(argument: unknown): Promise<void> {
  const title = l10n.t('Remove Duplicates');
  const file = await sourceFile(argument, { title, filters: jsonLines });
  if (file === undefined) return;
  for (;;) {
    const sameness = await askPick<Sameness>({
      title,
      placeholder: l10n.t(
        'Choose which lines in {0} count as duplicates. Inference Desk keeps the first one of each.',
        foreign(path.basename(file)),
      ),
      canGoBack: false,
      items: [
        { label: l10n.t('Same custom_id'), detail: l10n.t('Even if the requests differ'), value: 'customId' },
        { label: l10n.t('Same request'), detail: l10n.t('Even if custom_id differs'), value: 'request' },
      ],
    });
    if (sameness.kind !== 'value') return;
    const target = await askTarget(title, besideOf(file, 'unique'));
    if (target.kind === 'cancelled') return;
    if (target.kind === 'back') continue;
    const { value } = sameness;
    const { dropped } = await write([file], target.value, (options) => dropDuplicates(file, value, options));
    const count = numberText(dropped, vscode.env.language);
    return tellWritten(vscode.Uri.file(target.value.target), l10n.t('Duplicate lines removed: {0}.', count));
  }
}

/** The seed becomes part of the file's name, so that the same file can be generated again. */
async function askSeedAndTarget(
  title: string,
  memory: Memory,
  suggested: string,
): Promise<{ readonly seed: number; readonly target: Target } | undefined> {
  for (;;) {
    const typed: StepResult<string> = await askText({
      title,
      prompt: l10n.t('Random seed. The same seed gives the same result.'),
      value: memory.get().seed,
      canGoBack: false,
      check: (text) => (parseSeed(text) === undefined ? l10n.t('Enter a whole number of {0} or more.', 0) : undefined),
    });
    const seed = typed.kind === 'value' ? parseSeed(typed.value) : undefined;
    if (seed === undefined) return undefined;
    memory.set({ seed: String(seed) });
    const target = await askTarget(title, suggested.replace(/\.jsonl$/, `-${seed}.jsonl`));
    if (target.kind === 'value') return { seed, target: target.value };
    if (target.kind === 'cancelled') return undefined;
  }
}

async function write<Result extends { readonly bytes: number }>(
  sources: readonly string[],
  target: Target,
  work: (options: Required<WriteOptions>) => Promise<Result>,
): Promise<Result> {
  const sizes = await Promise.all(sources.map((file) => stat(file)));
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  const title = l10n.t('Writing {0}', foreign(path.basename(target.target)));
  const result = await withWriting(title, total, (options) => work({ ...options, ...target }));
  await showWritten(target.target, result.bytes);
  return result;
}

type Splitting = PartBounds | { readonly by: SplitKey };

/** Writes the parts next to their file. Asks once before replacing any existing files, and how to split unless `by` says it. */
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
    check: (text) => (parseCount(text) === undefined ? l10n.t('Enter a whole number of {0} or more.', 1) : undefined),
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

interface NamedTarget extends ConversionTarget {
  readonly name: string;
  /** For the name of the file. */
  readonly word: string;
}

/** Writes a copy of a file in the form of another service. `active`: the rules of the active account. */
export async function convertFlow(argument: unknown, active: BatchRules): Promise<void> {
  const title = l10n.t('Convert for Another Service');
  const file = await sourceFile(argument, { title, filters: jsonLines });
  if (file === undefined) return;
  for (;;) {
    const chosen = await askPick<NamedTarget>({
      title,
      placeholder: l10n.t('Select the service to convert {0} for', foreign(path.basename(file))),
      canGoBack: false,
      items: targetItems(active),
    });
    if (chosen.kind !== 'value') return;
    const service = chosen.value;
    const place = await askTarget(title, besideOf(file, service.word));
    if (place.kind === 'cancelled') return;
    if (place.kind === 'back') continue;
    const { target } = place.value;
    const { size } = await stat(file);
    const result = await withWriting(l10n.t('Writing {0}', foreign(path.basename(target))), size, (options) =>
      convertFile(file, service, { ...options, ...place.value }),
    );
    await showWritten(target, result.bytes);
    tellConverted(result, service);
    return;
  }
}

/** A proper name, the same in every language. */
const geminiName = 'Google Gemini';

function targetItems(active: BatchRules): readonly PickItem<NamedTarget>[] {
  const items = batchServices.map((rules): PickItem<NamedTarget> => ({
    label: rules.name,
    detail: formText(rules.line),
    ...(rules.id === active.id && { description: l10n.t('active account') }),
    value: {
      service: { rules, way: writtenWayFor(rules) },
      form: rules.line,
      name: rules.name,
      word: rules.id.toLowerCase(),
    },
  }));
  const gemini: PickItem<NamedTarget> = {
    label: geminiName,
    detail: formText('gemini'),
    value: {
      service: { rules: unknownService, way: writtenWayFor(unknownService) },
      form: 'gemini',
      name: geminiName,
      word: 'gemini',
    },
  };
  return [...items, gemini];
}

function formText(form: LineForm): string {
  switch (form) {
    case 'request':
      return l10n.t('Lines with "custom_id", "method", "url", and "body"');
    case 'body':
      return l10n.t('Lines with "custom_id" and "body"');
    case 'params':
      return l10n.t('Lines with "custom_id" and "params"');
    case 'gemini':
      return l10n.t('Lines with "key" and "request"');
  }
}

/** Says everything that the copy lacks or has in addition. */
function tellConverted(result: ConversionResult, { name }: NamedTarget): void {
  const { language } = vscode.env;
  const { lines, left, leftOut, added, models, lackModel } = result;
  const number = (value: number) => numberText(value, language);
  const list = (names: Iterable<string>) =>
    listText(
      [...names].map((one) => foreign(one)),
      language,
    );
  const facts = [
    lines === 1
      ? l10n.t('Converted 1 request for {0}.', name)
      : l10n.t('Converted {0} requests for {1}.', number(lines), name),
    left.count === 0
      ? ''
      : left.count === 1
        ? l10n.t("Line {0} wasn't converted.", number(left.first))
        : l10n.t("{0} lines weren't converted. The first one is line {1}.", number(left.count), number(left.first)),
    left.names.size === 0 ? '' : l10n.t("{0} doesn't support: {1}.", name, list(left.names)),
    leftOut.size === 0 ? '' : l10n.t("Removed because {0} doesn't support it: {1}.", name, countedNames(leftOut)),
    added.size === 0 ? '' : l10n.t('Added because {0} requires it: {1}.', name, countedNames(added)),
    models.size === 0 ? '' : l10n.t('Model to select when you create the batch: {0}.', list(models)),
    lackModel === 0
      ? ''
      : lackModel === 1
        ? l10n.t("1 request doesn't specify a model.")
        : l10n.t("{0} requests don't specify a model.", number(lackModel)),
  ];
  const isWarning = left.count + lackModel > 0;
  void showMessage(isWarning ? 'warning' : 'information', sentences(...facts));
}
