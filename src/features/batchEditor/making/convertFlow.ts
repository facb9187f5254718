import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { LineForm } from '../../../core/batch/fixes/foreign/toRequest';
import type { BatchRules } from '../../../core/batch/services/batchRules';
import { batchServices, unknownService } from '../../../core/batch/services/batchServices';
import { convertFile, type ConversionResult, type ConversionTarget } from '../../../core/batch/transform/convertFile';
import { writtenWayFor } from '../../../core/batch/writtenWay';
import { foreign } from '../../../core/text/foreignText';
import { numberText } from '../../../platform/displayText';
import { showMessage } from '../../../platform/notify';
import { askPick, type PickItem } from '../../../platform/quickInput';
import { askTarget, besideOf } from '../../../platform/workspace/writeTarget';
import { showWritten, withWriting } from '../../../platform/workspace/written';
import { listText } from '../../../protocol/formats';
import { sentences } from '../../../protocol/sentences';
import { countedNames } from '../fixes/fixes';
import { jsonLines, sourceFile } from './sourceFiles';

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
