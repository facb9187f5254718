import { l10n } from 'vscode';
import type { ModelJob } from '../../core/catalogue/jobs';
import { modelTypes, subTypes } from '../../core/catalogue/model';
import type { ModelType, SubType } from '../../core/catalogue/model';
import type { TreeGroupKey } from './modelTree';

/** Returns the label of a group in the Models view. */
export function groupLabel(key: TreeGroupKey): string {
  if (key === 'pinned') return l10n.t('Pinned');
  if (key === 'vanished') return l10n.t('No longer offered');
  if (key === 'other') return l10n.t('Other');
  const type = modelTypes.find((name) => key === `type:${name}`);
  if (type) return l10n.t('{0}, other', typeLabel(type));
  const subType = subTypes.find((name) => key === name);
  return subType ? subTypeLabel(subType) : key;
}

export function subTypeLabel(subType: SubType): string {
  switch (subType) {
    case 'chat':
      return l10n.t('Chat');
    case 'embedding':
      return l10n.t('Embedding');
    case 'reranker':
      return l10n.t('Reranker');
    case 'text-to-image':
      return l10n.t('Text to image');
    case 'image-to-image':
      return l10n.t('Image to image');
    case 'speech-to-text':
      return l10n.t('Speech to text');
    case 'text-to-video':
      return l10n.t('Text to video');
  }
}

export function typeLabel(type: ModelType): string {
  switch (type) {
    case 'text':
      return l10n.t('Text');
    case 'image':
      return l10n.t('Images');
    case 'audio':
      return l10n.t('Audio');
    case 'video':
      return l10n.t('Video');
  }
}

export function jobLabel(job: ModelJob): string {
  switch (job) {
    case 'chat':
      return l10n.t('Chat');
    case 'completion':
      return l10n.t('Completion');
    case 'rerank':
      return l10n.t('Rerank');
    case 'image':
      return l10n.t('Images');
    case 'video':
      return l10n.t('Videos');
    case 'voice':
      return l10n.t('Voices and speech');
    case 'embedding':
      return l10n.t('Embeddings');
    case 'transcription':
      return l10n.t('Transcription');
  }
}
