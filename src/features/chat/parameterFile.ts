import { parameterNames, readChatParameters } from '../../core/conversation/chatParameters';
import type { ChatParameters, ParameterName } from '../../core/conversation/chatParameters';
import { readParameterMemory } from '../../services/parameters/parameterMemory';
import type { ParameterMemoryFile } from '../../services/parameters/parameterMemory';

/** The file with presets and refused parameters, stored beside the conversations. */
export type ParameterFile = ParameterMemoryFile<ChatParameters, ParameterName>;

/** Returns `undefined` if the content is not valid. */
export function readParameterFile(raw: unknown): ParameterFile | undefined {
  return readParameterMemory(raw, { read: readChatParameters, names: parameterNames });
}
