import { parameterNames, readChatParameters } from '../../core/conversation/chatParameters';
import type { ChatParameters, ParameterName } from '../../core/conversation/chatParameters';
import { readParameterMemory } from '../../platform/parameterMemory';
import type { ParameterMemoryFile } from '../../platform/parameterMemory';

/** What is kept beside the conversations. */
export type ParameterFile = ParameterMemoryFile<ChatParameters, ParameterName>;

/** `undefined` for what is no such file. */
export function readParameterFile(raw: unknown): ParameterFile | undefined {
  return readParameterMemory(raw, { read: readChatParameters, names: parameterNames });
}
