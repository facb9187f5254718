import { parameterNames, readChatParameters } from '../../core/conversation/chatParameters';
import type { ChatParameters, ParameterName } from '../../core/conversation/chatParameters';
import { readParameterMemory } from '../../services/models/parameterMemory';
import type { ParameterMemoryFile } from '../../services/models/parameterMemory';

/** What is kept beside the conversations. */
export type ParameterFile = ParameterMemoryFile<ChatParameters, ParameterName>;

/** `undefined` for what is no such file. */
export function readParameterFile(raw: unknown): ParameterFile | undefined {
  return readParameterMemory(raw, { read: readChatParameters, names: parameterNames });
}
