import * as l10n from '@vscode/l10n';
import type { OwnBounds } from '../../../core/api/bounds';
import { completionBounds } from '../../../core/api/completions/completions.bounds';
import { biasBounds } from '../../../core/completion/completionParameters';
import { acceptedAt, numbersAt } from '../../../core/parameters/parameterTable';
import type { CompletionParameters } from '../../../core/completion/completionParameters';
import type { Elsewhere, TextFault } from '../../../core/completion/parameterText';
import type { CompletionWarning } from '../../../core/completion/parameterWarnings';
import { jsonSyntaxWords } from '../../../platform/errors/jsonSyntaxMessages';
import { parameterWords } from '../../../platform/errors/parameterMessages';
import type { CompletionWords } from '../../../protocol/completion';
import { numberText } from '../../../platform/displayText';
import { sentences } from '../../../protocol/sentences';

/** Describes a value that is not sent because of this fault. */
export function unsentText(fault: TextFault, language: string): string {
  return sentences(faultText(fault, language), l10n.t("This value isn't sent."));
}

/** Both from 1. */
export function whereText(line: number, column: number, language: string): string {
  return l10n.t('Line {0}, column {1}', numberText(line, language), numberText(column, language));
}

/** Says that a model does not support a parameter. */
export function notTakenText(model: string): string {
  return l10n.t("Omitted because {0} doesn't support it.", model.slice(model.lastIndexOf('/') + 1) || model);
}

export function faultText(fault: TextFault, language: string): string {
  switch (fault.kind) {
    case 'syntax':
      return jsonSyntaxWords(fault.what);
    case 'notObject':
      return l10n.t('Enter a JSON object in braces.');
    case 'unknownName':
      return l10n.t('"{0}" isn\'t a completion parameter, so it won\'t be sent.', fault.name);
    case 'elsewhere':
      return elsewhereText(fault.name);
    case 'twice':
      return l10n.t('{0} is specified twice. The first value is used.', fault.name);
    case 'notNumber':
      return l10n.t('Enter a number, such as 0.7.');
    case 'quoted':
      return l10n.t('Remove the quotes around this number.');
    case 'noBias':
      return l10n.t('Enter a bias from {0} to {1}.', minus(biasBounds.min), biasBounds.max);
    case 'parameter':
      return fault.issue.rule === 'pattern'
        ? l10n.t('Enter a token ID as a whole number, such as 50256.')
        : parameterWords(fault.issue, language);
  }
}

function elsewhereText(name: Elsewhere): string {
  switch (name) {
    case 'model':
      return l10n.t("Select the model above. The value here isn't sent.");
    case 'prompt':
      return l10n.t("The prompt is the text to complete. The value here isn't sent.");
    case 'suffix':
      return l10n.t("The suffix is the text after the cursor. The value here isn't sent.");
    case 'stream':
    case 'stream_options':
      return l10n.t("Responses are always streamed. The value here isn't sent.");
  }
}

export function warningText(warning: CompletionWarning, language: string): string {
  switch (warning.kind) {
    case 'usuallyMost':
      return l10n.t(
        'Most services support up to {0}. Higher values might be rejected.',
        numberText(warning.most, language),
      );
    case 'usuallyAbove':
      return l10n.t(
        'Most services require more than {0}. Lower values might be rejected.',
        numberText(warning.least, language),
      );
    case 'allAlike':
      return l10n.t('The model always picks the most likely token, so responses will be nearly identical.');
  }
}

export function hintTexts(
  { n = 1, max_tokens }: CompletionParameters,
  own: OwnBounds,
  language: string,
): CompletionWords {
  const most = completionBounds.n?.max ?? 1;
  const cost =
    max_tokens === undefined
      ? l10n.t("You're charged for each of the {0} completions.", numberText(n, language))
      : l10n.t(
          "You're charged for each of the {0} completions, up to {1} tokens in total.",
          numberText(n, language),
          numberText(n * max_tokens, language),
        );
  return {
    ...rangeTexts(own, language),
    max_tokens: l10n.t('per completion, 1 or more'),
    top_k: l10n.t('whole number, 0 or more'),
    n: n > 1 ? cost : l10n.t('1 to {0} completions', numberText(most, language)),
    seed: l10n.t('whole number, or empty for random'),
    repetition_penalty: l10n.t('1 has no effect. Higher values reduce repetition.'),
  };
}

/** The ranges of the numbers that have one. */
function rangeTexts(own: OwnBounds, language: string): CompletionWords {
  const ranges = numbersAt('completions').flatMap((name) => {
    const { min, max } = acceptedAt('completions', name, own);
    return min === undefined || max === undefined
      ? []
      : [[name, l10n.t('{0} to {1}', minus(min), numberText(max, language))] as const];
  });
  return Object.fromEntries(ranges);
}

/** Uses the minus sign, which is as wide as a plus. */
function minus(number: number): string {
  return String(number).replace('-', '−');
}
