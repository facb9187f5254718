import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { absoluteTimeText, bytesText, numberText, shortened } from '../../platform/displayText';
import { dateFormat, numberFormat } from '../../protocol/formats';
import { UserError } from '../../platform/errors/userError';
import type { GalleryKind } from '../../protocol/gallery';
import type { AssetWords } from './assetFacts';
import type { GalleryMessages } from './galleryController';
import { foreign } from '../../core/text/foreignText';

const dayMs = 24 * 60 * 60 * 1000;

/** Localized text that the host formats for the page. */
export function galleryWords(now: () => number): GalleryMessages {
  const { language } = vscode.env;
  return {
    ...assetWords(language),
    language,
    day: (at) => (at === undefined ? l10n.t('No date') : dayText(at, now(), language)),
    count: (count, total, isAll) =>
      isAll
        ? fileCount(total, language)
        : l10n.t('{0} of {1}', numberText(count, language), numberText(total, language)),
    inputName,
    gone: () =>
      new UserError(
        l10n.t('This file is not known here any more'),
        l10n.t('It was moved or deleted. Choose another one.'),
      ),
  };
}

function assetWords(language: string): AssetWords {
  return {
    label: kindLabel,
    caption: (kind, { size, seed }) => {
      if (kind === 'speech') return l10n.t('Speech');
      const parts = [seed === '' ? '' : l10n.t('seed {0}', seed), size];
      return parts.filter((part) => part !== '').join(' · ');
    },
    prompt: l10n.t('Prompt'),
    negativePrompt: l10n.t('Negative prompt'),
    spokenText: l10n.t('Spoken text'),
    facts: {
      model: l10n.t('Model'),
      voice: l10n.t('Voice'),
      seed: l10n.t('Seed'),
      size: l10n.t('Size'),
      file: l10n.t('File'),
      made: l10n.t('Made'),
      took: l10n.t('Took'),
      service: l10n.t('Service'),
      traceId: l10n.t('Trace ID'),
      requestId: l10n.t('Request ID'),
      result: l10n.t('Result of the answer'),
    },
    time: (at) => absoluteTimeText(at, language),
    seconds: (seconds) =>
      numberFormat(language, { style: 'unit', unit: 'second', unitDisplay: 'short', maximumFractionDigits: 2 }).format(
        seconds,
      ),
    bytes: (bytes) => bytesText(bytes, language),
    shortened,
    earlier: (model, time) => l10n.t('{0}, {1}', foreign(model), time),
  };
}

function kindLabel(kind: GalleryKind, text: string): string {
  switch (kind) {
    case 'image':
      return l10n.t('Image: {0}', text);
    case 'video':
      return l10n.t('Video: {0}', text);
    case 'speech':
      return l10n.t('Speech: {0}', text);
  }
}

/** Labels an input image by its parameter name. */
function inputName(name: string): string {
  switch (name) {
    case 'image2':
      return l10n.t('Input image 2');
    case 'image3':
      return l10n.t('Input image 3');
    default:
      return l10n.t('Input image');
  }
}

function dayText(at: number, now: number, language: string): string {
  const today = new Date(now).toDateString();
  if (new Date(at).toDateString() === today) return l10n.t('Today');
  if (new Date(at + dayMs).toDateString() === today) return l10n.t('Yesterday');
  return dateFormat(language, { dateStyle: 'full' }).format(at);
}

function fileCount(count: number, language: string): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', numberText(count, language));
}
