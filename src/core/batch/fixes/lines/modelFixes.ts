import { fixAllWords, fixWords } from '../../words/fixWords';
import { insertEdit, nodeFrom, replaceEdit } from '../jsonEdits';
import type { Target, FixStrategy } from '../strategy';

function* suggested({ problem: { suggestions = [], span } }: Target) {
  for (const model of suggestions) {
    yield { title: fixWords.useModel(model), edits: [replaceEdit(span, JSON.stringify(model))] };
  }
}

export const nearestModel: FixStrategy = { allTitle: fixAllWords.nearestModels, fixes: suggested };

export const firstModel: FixStrategy = { allTitle: fixAllWords.firstModel, fixes: suggested };

export const addModel: FixStrategy = {
  allTitle: fixAllWords.addModel,
  *fixes({ text, root, problem: { code, span }, file: { model } }) {
    if (model === undefined) return;
    const value = JSON.stringify(model);
    if (code === 'model.invalid') yield { title: fixWords.useModel(model), edits: [replaceEdit(span, value)] };
    const body = root && nodeFrom(root, span.start);
    if (body?.kind !== 'object' || code !== 'model.missing') return;
    yield { title: fixWords.addMember('model', value), edits: [insertEdit(text, body, { key: 'model', value })] };
  },
};
