import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { OwnBounds } from '../../../core/api/bounds';
import { imageModelFacts } from '../../../core/imageRuns/imageModels';
import { lastRequestDelay } from '../../../core/imageRuns/pace';
import type { SentRequest } from '../../../core/imageRuns/pace';
import { countRequests, imagesOf } from '../../../core/imageRuns/sweep';
import { numberText } from '../../../platform/displayText';
import { parameterWords } from '../../../platform/errors/parameterMessages';
import type { FieldWords, ImageForm, ImageFormAnswer } from '../../../protocol/images';
import { mostSeeds, readForm } from '../logic/readForm';
import type { FieldProblem, FormReading } from '../logic/readForm';
import { sentences } from '../../../protocol/sentences';
import { durationText, listText } from '../../../protocol/formats';

export interface FormPace {
  readonly perMinute: number;
  readonly sent: readonly SentRequest[];
  /** Image count of each request queued ahead; `undefined` if it is unknown when they are sent. */
  readonly waiting: readonly number[] | undefined;
  readonly now: number;
}

/** Returns what the page shows about a form before it is sent. `own`: the bounds of the service. */
export function formAnswer(form: ImageForm, pace: FormPace, own?: OwnBounds): ImageFormAnswer {
  const reading = readForm(form, own);
  const { sizes, ratios, notTaken } = imageModelFacts(reading.request.model);
  const size = planOf(reading);
  return {
    issues: wordsOf(reading.issues),
    warnings: wordsOf(reading.warnings),
    notTaken: Object.fromEntries(notTaken.map((name) => [name, notTakenWords()])),
    sizes,
    ratios,
    plan: planText(reading, size, pace),
    pictures: size.pictures,
  };
}

export interface PlanSize {
  readonly requests: number;
  readonly pictures: number;
}

export function planOf({ request, sweep }: FormReading): PlanSize {
  if (request.model === '') return { requests: 0, pictures: 0 };
  const requests = countRequests(request, sweep);
  return { requests, pictures: requests * imagesOf(request) };
}

/** Describes how much would be sent, and in how long the last request goes out. */
export function planText({ request }: FormReading, { requests, pictures }: PlanSize, pace: FormPace): string {
  if (request.prompt === '') return l10n.t('Describe the image to start.');
  if (request.model === '') return l10n.t('Select a model.');
  const number = (value: number) => numberText(value, vscode.env.language);
  const much = pictures === 1 ? l10n.t('1 image.') : l10n.t('{0} images.', number(pictures));
  if (requests <= 1) return much;
  const text = l10n.t('{0} images in {1} requests.', number(pictures), number(requests));
  return sentences(text, lastSentText({ requests, pictures }, pace));
}

/** Says in how long the last request would be sent; empty if that is immediate or unknown. */
export function lastSentText({ requests, pictures }: PlanSize, pace: FormPace): string {
  if (!pace.waiting) return '';
  const counts = [...pace.waiting, ...Array.from({ length: requests }, () => pictures / requests)];
  const delay = lastRequestDelay(pace.sent, counts, pace);
  return delay < 1000 ? '' : l10n.t('Last request in about {0}.', durationText(delay, vscode.env.language));
}

function wordsOf(problems: readonly FieldProblem[]): FieldWords {
  // Reversed so that the first problem of a field wins.
  return Object.fromEntries(problems.toReversed().map((problem) => [problem.field, problemWords(problem)]));
}

export function problemWords(problem: FieldProblem): string {
  switch (problem.kind) {
    case 'notNumber':
      return l10n.t('Enter a number.');
    case 'notSize':
      return l10n.t('Enter a size, such as 1024x768.');
    case 'needsImage':
      return l10n.t('This model edits images. Choose an image.');
    case 'seedCount':
      return l10n.t('Enter a whole number up to {0}.', mostSeeds);
    case 'unusualSize':
      return l10n.t(
        'This model supports {0} and might reject other sizes.',
        listText(problem.sizes, vscode.env.language),
      );
    case 'bound':
      return parameterWords(problem.issue, vscode.env.language);
  }
}

function notTakenWords(): string {
  return l10n.t("This model doesn't support the setting, according to the service.");
}
