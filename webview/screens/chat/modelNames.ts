import * as l10n from '@vscode/l10n';
import type { ChatModel } from '../../../src/protocol/chat';
import { contextText } from '../../../src/protocol/formats';
import type { PickerItem } from '../../components/pickerItems';
import type { PageState } from './chatHost';
import type { PickerWords } from '../../components/pickerList';

/** Returns the short name of a model id: `Qwen/Qwen3-32B` → `Qwen3-32B`, `Pro/zai-org/GLM-4.6` → `GLM-4.6`. */
export function modelName(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1) || id;
}

/** Shortens a text to `max` characters by cutting the middle, because the beginning names the family and the end the size and kind. */
export function shortenMiddle(text: string, max: number): string {
  const characters = Array.from(text);
  if (characters.length <= max) return text;
  const head = Math.ceil((max - 1) / 2);
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (max - 1 - head)).join('')}`;
}

/** Returns the context length, whether the model supports tools and images, and whether it may not be for chat, as far as known. */
export function modelFacts({ contextTokens, tools, images, isUnknown }: ChatModel): readonly string[] {
  return [
    ...(contextTokens === undefined ? [] : [l10n.t('{0} context', contextText(contextTokens))]),
    ...(tools ? [l10n.t('tools')] : []),
    ...(images ? [l10n.t('images')] : []),
    ...(isUnknown ? [l10n.t('might support chat')] : []),
  ];
}

/**
 * Returns the pinned models first, under headings if there are both kinds, and last those of `chosen` that are not listed, such as one whose
 * id was typed.
 */
export function modelItems(
  models: readonly ChatModel[],
  locale: string,
  chosen: readonly string[] = [],
): readonly PickerItem[] {
  const pinned = models.filter((model) => model.pinned);
  const others = models.filter((model) => !model.pinned);
  const unlisted = chosen.filter((id) => models.every((model) => model.id !== id));
  const headed = pinned.length > 0 && others.length > 0;
  const toItem =
    (group: string) =>
    (model: ChatModel): PickerItem => {
      const { id } = model;
      const name = modelName(id);
      const vendor = id.slice(0, id.length - name.length).replace(/\/$/, '');
      const detail = [vendor, ...modelFacts(model)].filter(Boolean).join(' · ');
      return { id, name, detail, group };
    };
  return [
    ...pinned.map(toItem(headed ? l10n.t('Pinned') : '')),
    ...others.map(toItem(headed ? l10n.t('All models') : '')),
    ...unlisted.map((id) => toItem(models.length > 0 ? notInList() : '')({ id, pinned: false })),
  ];
}

const notInList = () => l10n.t('Unlisted');

/** The words of a list of chat models. */
export function modelWords(page: PageState | undefined): PickerWords {
  return {
    search: l10n.t('Search Models'),
    noMatch: l10n.t('No matches.'),
    useTyped: (text) => l10n.t('Use {0}', text),
    unlisted: notInList(),
    none: isLoadingModels(page) ? l10n.t('Loading models…') : l10n.t('Enter a model ID.'),
  };
}

export function isLoadingModels(page: PageState | undefined): boolean {
  return page === undefined || page.modelsState === 'loading' || page.modelsState === 'unknown';
}

/** Returns a name for each model: its short name, or its full id if two short names are equal. */
export function columnNames(models: readonly string[]): readonly string[] {
  const names = models.map(modelName);
  return models.map((model, index) => {
    const name = names[index] ?? model;
    return names.filter((other) => other === name).length > 1 ? model : name;
  });
}
