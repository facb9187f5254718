import * as vscode from 'vscode';
import type { CatalogueModel } from '../../core/catalogue/model';
import { cursorAt } from '../../core/prompts/cursor';
import { providedNames, promptKeys, promptParameters, variableKeys } from '../../core/prompts/prompt';
import { modelFacts } from '../../services/models/modelFacts';
import { markdown } from '../../platform/notify';
import { parameterText } from './completion';
import { rangeOf } from './promptFiles';
import type { PromptReadings } from './promptFiles';
import { providedText, keyWords, variableWords } from './promptWords';
import { variableText } from './variableText';

export function createPromptHover(
  readings: PromptReadings,
  models: () => readonly CatalogueModel[],
): vscode.HoverProvider {
  return {
    provideHover(document, position) {
      const offset = document.offsetAt(position);
      const { prompt } = readings.of(document);
      const isIn = ({ start, end }: { readonly start: number; readonly end: number }) =>
        start <= offset && offset < end;
      const place = prompt.places.find(({ span }) => isIn(span));
      const variable = prompt.variables.find(({ name, span }) => (place ? place.name === name : isIn(span)));
      if (variable) return about(variable.name, variableText(variable), rangeOf(document, (place ?? variable).span));
      if (place) {
        const given = providedNames.find((name) => name === place.name);
        const words = given ? providedText[given]() : variableText({ options: [] });
        return about(place.name, words, rangeOf(document, place.span));
      }
      const model = [...(prompt.model ? [prompt.model] : []), ...prompt.models].find(({ span }) => isIn(span));
      if (model) return new vscode.Hover([...modelFacts(model.id, models())], rangeOf(document, model.span));
      return keyHover(document, position);
    },
  };
}

function keyHover(document: vscode.TextDocument, { line }: vscode.Position): vscode.Hover | undefined {
  const word = /^(\s*)([\w-]+)(?=:)/.exec(document.lineAt(line).text);
  if (!word) return undefined;
  const [, indent = '', name = ''] = word;
  const range = new vscode.Range(line, indent.length, line, indent.length + name.length);
  const cursor = cursorAt(document.getText(), document.offsetAt(range.start));
  if (cursor.kind !== 'key') return undefined;
  const words = wordsOf(name, cursor.path);
  return words === undefined ? undefined : about(name, words, range);
}

function wordsOf(name: string, path: readonly string[]): string | undefined {
  const [first] = path;
  if (first === undefined) {
    const key = promptKeys.find((other) => other === name);
    return key && keyWords[key]();
  }
  if (first === 'parameters') {
    const parameter = promptParameters.find((other) => other === name);
    return parameter && parameterText(parameter);
  }
  const key = path.length === 2 && first === 'variables' ? variableKeys.find((other) => other === name) : undefined;
  return key && variableWords[key]();
}

function about(name: string, words: string, range: vscode.Range): vscode.Hover {
  return new vscode.Hover(markdown`**${name}**\n\n${words}`, range);
}
