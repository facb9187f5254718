import { deepEqual, equal } from 'node:assert/strict';
import { createModelRule, listedModels, modelsFor } from '../../../../src/core/batch/fileRules';
import { modelsForJob } from '../../../../src/core/catalogue/jobs';
import type { CatalogueModel } from '../../../../src/core/catalogue/model';

const model = (id: string, part: Partial<CatalogueModel> = {}): CatalogueModel => ({
  id,
  types: [],
  subTypes: [],
  ...part,
});

/** As SiliconFlow lists them: speech and some videos have a type alone. */
const listed = [
  model('a/chat', { types: ['text'], subTypes: ['chat'] }),
  model('a/new-chat', { types: ['text'] }),
  model('a/speech', { types: ['audio'] }),
  model('a/clips', { types: ['video'] }),
  model('a/video', { types: ['video'], subTypes: ['text-to-video'] }),
  model('a/embedding', { types: ['text'], subTypes: ['embedding'] }),
  model('a/unknown'),
];

describe('the model of a batch file', () => {
  const codesOf = (id: string, models = listed) =>
    createModelRule(listedModels(models))({ model: id, kind: 'chat' }).map(({ code }) => code);

  it('is reported if the service lists it with another type or sub-type', () => {
    for (const id of ['a/speech', 'a/clips', 'a/video', 'a/embedding']) deepEqual(codesOf(id), ['model.not-chat']);
    for (const id of ['a/chat', 'a/new-chat', 'a/unknown']) deepEqual(codesOf(id), []);
    deepEqual(codesOf('a/other'), ['model.unknown']);
  });

  it('is not reported if only its name suggests another use', () => {
    deepEqual(codesOf('text-embedding-3-small', [model('text-embedding-3-small')]), []);
  });

  it('is never reported if it was suggested', () => {
    for (const models of [listed, listed.map(({ id }) => model(id)), [...listed, model('whisper-1')]]) {
      const suggested = [
        ...modelsForJob('chat', models).map(({ id }) => id),
        ...modelsFor('chat', listedModels(models)!),
      ];
      for (const id of suggested) deepEqual(codesOf(id, models), [], id);
    }
    equal(modelsFor('chat', listedModels(listed)!).includes('a/speech'), false);
  });
});
