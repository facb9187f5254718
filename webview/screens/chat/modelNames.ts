import type { ChatModel } from '../../../src/protocol/chat';
import type { PickerItem } from '../../components/pickerItems';

/** The part of a model id a person calls it by: `Qwen/Qwen3-32B` → `Qwen3-32B`, `Pro/zai-org/GLM-4.6` → `GLM-4.6`. */
export function modelName(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1) || id;
}

/** At most `max` characters, the middle left out: the beginning says the family, the end the size and kind. */
export function shortenMiddle(text: string, max: number): string {
  const characters = Array.from(text);
  if (characters.length <= max) return text;
  const head = Math.ceil((max - 1) / 2);
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (max - 1 - head)).join('')}`;
}

export interface ModelGroups {
  readonly pinned: string;
  readonly others: string;
}

/** Pinned models first, under headings if there are both kinds. */
export function modelItems(models: readonly ChatModel[], groups: ModelGroups): readonly PickerItem[] {
  const pinned = models.filter((model) => model.pinned);
  const others = models.filter((model) => !model.pinned);
  const headed = pinned.length > 0 && others.length > 0;
  const toItem =
    (group: string) =>
    ({ id }: ChatModel): PickerItem => {
      const name = modelName(id);
      return { id, name, detail: id.slice(0, id.length - name.length).replace(/\/$/, ''), group: headed ? group : '' };
    };
  return [...pinned.map(toItem(groups.pinned)), ...others.map(toItem(groups.others))];
}
