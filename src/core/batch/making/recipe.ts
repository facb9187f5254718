import { vendorWay, type ChatWay } from '../../api/chat/chatWays';
import { batchMethod, batchUrl } from '../limits';
import { inWay } from '../writtenWay';
import { isWithin } from '../rules/fits';
import { bodyMember } from '../shape';
import { templateWords } from '../words/makingWords';
import { MakingError } from './makingError';
import { compileIdTemplate, compileTemplate } from './template';
import type { Row } from './template';

/** How a row becomes a request. Texts are templates: `{{name}}` stands for the column of that name. */
export interface Recipe {
  readonly prompt: string;
  /** If empty, there is no system message. */
  readonly system: string;
  /** If empty, requests name no model, and the batch sets it. */
  readonly model: string;
  /** In this template `{n}` also stands for the row number. */
  readonly customId: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** Further members of the body, by their names in the API. */
  readonly others?: Readonly<Record<string, unknown>>;
}

export interface MadeRequest {
  readonly id: string;
  /** Without the line break. */
  readonly line: string;
}

/** `number` is the row number, from 1. */
export type RequestMaker = (row: Row, number: number) => MadeRequest;

/** `way`: how requests are written for the service that the file is for. Throws `MakingError` if the recipe is invalid for these columns. */
export function compileRecipe(recipe: Recipe, columns: readonly string[], way: ChatWay = vendorWay): RequestMaker {
  const { model, maxTokens, temperature, others = {} } = recipe;
  if (recipe.prompt.trim() === '') throw new MakingError(templateWords.noPrompt());
  if (recipe.customId.trim() === '') throw new MakingError(templateWords.noId());
  if (!/\{n\}|\{\{/.test(recipe.customId)) throw new MakingError(templateWords.sameIds());
  checkParameter('max_tokens', maxTokens);
  checkParameter('temperature', temperature);
  const prompt = compileTemplate(recipe.prompt, columns);
  const system = compileTemplate(recipe.system, columns);
  const customId = compileIdTemplate(recipe.customId, columns);
  return (row, number) => {
    const id = customId(row, number);
    const body = {
      ...(model === '' ? {} : { model }),
      messages: [
        ...(recipe.system === '' ? [] : [{ role: 'system', content: system(row, number) }]),
        { role: 'user', content: prompt(row, number) },
      ],
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...others,
    };
    const request = { custom_id: id, method: batchMethod, url: batchUrl, body: inWay(body, way).body };
    return { id, line: JSON.stringify(request) };
  };
}

function checkParameter(name: 'max_tokens' | 'temperature', value: number | undefined): void {
  if (value === undefined || isWithin(value, bodyMember(name)!)) return;
  throw new MakingError(templateWords.wrongParameter(name));
}
