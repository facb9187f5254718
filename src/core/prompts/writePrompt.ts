import { stringify } from 'yaml';
import type { ChatParameters } from '../conversation/chatParameters';
import { escapePlaceholders } from './placeholders';
import { promptParameters } from './prompt';

export interface WrittenPrompt {
  readonly description?: string | undefined;
  readonly model?: string | undefined;
  /** `system` gets a separate key. Tools are omitted. */
  readonly parameters: ChatParameters;
  readonly text: string;
}

/** Returns a prompt file that sends exactly this text: anything in it that looks like a placeholder is escaped. */
export function writePrompt({ description, model, parameters, text }: WrittenPrompt): string {
  const { system = '', prefill } = parameters;
  const set = { ...parameters, ...(prefill !== undefined && { prefill: escapePlaceholders(prefill) }) };
  const named = promptParameters.filter((name) => set[name] !== undefined);
  const front = {
    ...(description !== undefined && { description }),
    ...(model !== undefined && { model }),
    ...(named.length > 0 && { parameters: Object.fromEntries(named.map((name) => [name, set[name]])) }),
    ...(system !== '' && { system: escapePlaceholders(system) }),
  };
  const yaml = Object.keys(front).length > 0 ? stringify(front, { lineWidth: 0 }) : '';
  return `---\n${yaml}---\n\n${escapePlaceholders(text)}\n`;
}
