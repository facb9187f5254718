import assert from 'node:assert/strict';
import { readCachedModels, readPicks, toModelsFile, toPicksFile } from '../../../../src/core/catalogue/catalogueFile';
import { gatherModels } from '../../../../src/core/catalogue/gatherModels';
import type { ModelFilter } from '../../../../src/core/catalogue/gatherModels';
import { groupModels, searchModels } from '../../../../src/core/catalogue/groupModels';
import { chooseModel, fitsJob, jobsOf, modelsForJob } from '../../../../src/core/catalogue/jobs';
import { changesSince } from '../../../../src/core/catalogue/picks';
import { modelJobs, nameOf } from '../../../../src/core/catalogue/model';
import type { CatalogueModel, ModelJob } from '../../../../src/core/catalogue/model';
import { nearestIds } from '../../../../src/core/catalogue/nearestIds';

const chat = 'Qwen/Qwen3-32B';
const pro = 'Pro/deepseek-ai/DeepSeek-V3';
const rerank = 'BAAI/bge-reranker-v2-m3';
const painter = 'Kwai-Kolors/Kolors';
const speaker = 'FunAudioLLM/CosyVoice2-0.5B';
const stray = 'local-model';

/** A service that honours its filters. */
function service(named: Readonly<Record<string, readonly string[]>>, all: readonly string[]) {
  return async (filter: ModelFilter) => {
    const key = filter.subType ?? filter.type;
    return (key ? (named[key] ?? []) : all).map((id) => ({ id }));
  };
}

const filtered = { hasFilters: true } as const;
const everything = [pro, chat, rerank, painter, speaker, stray];
const filters = {
  chat: [pro, chat],
  reranker: [rerank],
  'text-to-image': [painter],
  'image-to-image': [painter],
  text: [pro, chat, rerank],
  image: [painter],
  audio: [speaker],
};

async function gathered(): Promise<readonly CatalogueModel[]> {
  return (await gatherModels(service(filters, everything), filtered)).models;
}

function model(
  id: string,
  subTypes: CatalogueModel['subTypes'] = [],
  types: CatalogueModel['types'] = [],
): CatalogueModel {
  return { id, subTypes, types };
}

describe('loading the model list', () => {
  it('requests the complete list and every filter at the same time', async () => {
    const asked: ModelFilter[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const gathering = gatherModels(async (filter) => {
      asked.push(filter);
      await gate;
      return [];
    }, filtered);
    assert.equal(asked.length, 12);
    release();
    assert.deepEqual(await gathering, { models: [], unanswered: [] });
  });

  it("keeps the service's order, and classifies each model by the filters that returned it", async () => {
    const models = await gathered();
    assert.deepEqual(
      models.map(({ id }) => id),
      everything,
    );
    assert.deepEqual(models[0], { id: pro, types: ['text'], subTypes: ['chat'] });
    assert.deepEqual(models[3]?.subTypes, ['text-to-image', 'image-to-image']);
    assert.deepEqual(models[4], { id: speaker, types: ['audio'], subTypes: [] });
    assert.deepEqual(models[5], { id: stray, types: [], subTypes: [] });
  });

  it('appends models that only a filter returns', async () => {
    const { models } = await gatherModels(service({ chat: [chat, 'hidden/one'] }, [chat]), filtered);
    assert.deepEqual(
      models.map(({ id }) => id),
      [chat, 'hidden/one'],
    );
  });

  it('ignores filters of a server that returns the complete list for each', async () => {
    const { models } = await gatherModels(async () => [{ id: 'a/b' }, { id: 'c' }], filtered);
    assert.deepEqual(models, [model('a/b'), model('c')]);
  });

  it("accepts a filter that returns every model if the other filters don't", async () => {
    const { models } = await gatherModels(service({ chat: [chat], text: [chat] }, [chat]), filtered);
    assert.deepEqual(models, [model(chat, ['chat'], ['text'])]);
  });

  it('keeps the earlier result of a filter that failed this time', async () => {
    const before = await gathered();
    const { models, unanswered } = await gatherModels(
      async (filter) => {
        if (filter.subType === 'chat') throw new Error('503');
        return service(filters, everything)(filter);
      },
      { ...filtered, before },
    );
    assert.deepEqual(models, before);
    assert.deepEqual(unanswered, [{ subType: 'chat' }]);
  });

  it('uses the filters if only the complete list fails', async () => {
    const { models } = await gatherModels(async (filter) => {
      if (!filter.type && !filter.subType) throw new Error('504');
      return service(filters, everything)(filter);
    }, filtered);
    assert.ok(models.some(({ id }) => id === chat));
  });

  it('fails with the error of the complete list if every request failed', async () => {
    const failing = gatherModels(async (filter) => {
      throw new Error(filter.subType ?? filter.type ?? 'whole');
    }, filtered);
    await assert.rejects(failing, { message: 'whole' });
  });
});

describe('names and groups of models', () => {
  it('parses IDs with a tier prefix or without a vendor', () => {
    assert.deepEqual(nameOf(chat), { vendor: 'Qwen', name: 'Qwen3-32B', tier: undefined });
    assert.deepEqual(nameOf(pro), { vendor: 'deepseek-ai', name: 'DeepSeek-V3', tier: 'Pro' });
    assert.deepEqual(nameOf(stray, 'library'), { vendor: 'library', name: stray, tier: undefined });
    assert.deepEqual(nameOf('/models/a.gguf', ''), {
      vendor: undefined,
      name: '/models/a.gguf',
      tier: undefined,
    });
  });

  it('groups by sub-type, then by type, and puts models without a filter under Other', async () => {
    const groups = groupModels(await gathered());
    assert.deepEqual(
      groups.map(({ key, count }) => [key, count]),
      [
        ['chat', 2],
        ['reranker', 1],
        ['text-to-image', 1],
        ['image-to-image', 1],
        ['type:audio', 1],
        ['other', 1],
      ],
    );
    assert.deepEqual(
      groups[0]?.vendors.map(({ vendor }) => vendor),
      ['deepseek-ai', 'Qwen'],
    );
  });

  it('finds models by words of ID, owner, and group in any order and case', async () => {
    const models = await gathered();
    const found = (query: string) => searchModels(models, query).map(({ id }) => id);
    assert.deepEqual(found('v3 DEEPSEEK'), [pro]);
    assert.deepEqual(found('reranker'), [rerank]);
    assert.deepEqual(found('nothing like it'), []);
    assert.equal(found('  ').length, everything.length);
  });
});

describe('models for a purpose', () => {
  it('include a model only if its sub-type matches', async () => {
    const models = await gathered();
    assert.deepEqual(
      modelsForJob('chat', models).map(({ id }) => id),
      [pro, chat],
    );
    assert.deepEqual(
      modelsForJob('voice', models).map(({ id }) => id),
      [speaker],
    );
    assert.deepEqual(
      modelsForJob('rerank', models).map(({ id }) => id),
      [rerank],
    );
    assert.ok(!fitsJob(model(rerank, ['reranker'], ['text']), 'chat'));
  });

  it('include every model for every purpose if none is classified, without a default', () => {
    const models = [model('a'), model('b')];
    for (const job of modelJobs) {
      assert.deepEqual(
        modelsForJob(job, models).map(({ id }) => id),
        ['a', 'b'],
      );
      assert.equal(chooseModel(job, { models, pins: [], defaults: {} }), undefined, job);
      assert.equal(chooseModel(job, { models, pins: ['b'], defaults: {} }), 'b', job);
      assert.equal(chooseModel(job, { models, pins: [], defaults: { [job]: 'b' } }), 'b', job);
    }
    assert.deepEqual(jobsOf(model('a')), ['chat', 'completion']);
  });

  it('include unclassified models for chat and completion, after the classified ones', () => {
    const models = [model('a'), model('qwen3:8b'), model('nomic-embed-text'), model('bge-reranker-v2-m3')];
    const offered = (job: ModelJob) => modelsForJob(job, models).map(({ id }) => id);
    assert.deepEqual(offered('chat'), ['qwen3:8b', 'a']);
    assert.deepEqual(offered('completion'), ['qwen3:8b', 'a']);
    assert.deepEqual(offered('embedding'), ['nomic-embed-text']);
    assert.deepEqual(offered('rerank'), ['bge-reranker-v2-m3']);
    assert.deepEqual(offered('image'), []);
    assert.equal(chooseModel('chat', { models, pins: [], defaults: {} }), 'qwen3:8b');
    assert.equal(chooseModel('image', { models, pins: ['a'], defaults: {} }), undefined);
  });

  it('default to the configured one, then the first pinned, then the first listed', async () => {
    const models = await gathered();
    const choose = (pins: readonly string[], chosen?: string) =>
      chooseModel('chat', { models, pins, defaults: chosen ? { chat: chosen } : {} });
    assert.equal(choose([]), pro);
    assert.equal(choose([rerank, chat]), chat);
    assert.equal(choose([chat], pro), pro);
    assert.equal(choose([chat], 'gone/model'), chat);
  });

  it('keep the default while the list is unknown', () => {
    assert.equal(chooseModel('chat', { models: [], pins: [], defaults: { chat } }), chat);
  });
});

describe('changes since the last load', () => {
  it('include added and removed models, and are empty after the first load', async () => {
    const models = await gathered();
    assert.equal(changesSince(undefined, models).appeared.size, 0);
    const { appeared, vanished } = changesSince({ at: 1, ids: ['old/one', chat, pro] }, models);
    assert.deepEqual([...appeared], [rerank, painter, speaker, stray]);
    assert.deepEqual(vanished, ['old/one']);
  });
});

describe('similar IDs', () => {
  const ids = [chat, pro, rerank, painter, 'deepseek-ai/DeepSeek-V3', 'deepseek-ai/DeepSeek-R1'];

  it('include typing errors, different case, and a missing vendor', () => {
    assert.equal(nearestIds('Qwen/Qwen3-23B', ids)[0], chat);
    assert.equal(nearestIds('qwen/qwen3-32b', ids)[0], chat);
    assert.equal(nearestIds('Qwen3-32B', ids)[0], chat);
    assert.equal(nearestIds('deepseek/DeepSeek-V3', ids)[0], 'deepseek-ai/DeepSeek-V3');
    assert.equal(nearestIds('bge-reranker', ids)[0], rerank);
  });

  it('are limited to the requested number, and exclude the ID itself and unlike ones', () => {
    assert.equal(nearestIds('DeepSeek-V3', ids, 2).length, 2);
    assert.ok(!nearestIds(chat, ids).includes(chat));
    assert.deepEqual(nearestIds('zzzzzz', ids), []);
    assert.deepEqual(nearestIds(' ', ids), []);
  });
});

describe('the stored model list', () => {
  const source = 'https://api.example.com/v1';
  const throughJson = (value: object): unknown => JSON.parse(JSON.stringify(value));

  it('is loaded as it was saved', async () => {
    const models = [
      ...(await gathered()),
      { ...model('x/y', ['chat']), created: 5, ownedBy: 'me', contextLength: 32768 },
      { ...model('z'), displayName: 'Z', jobs: [], tools: false, images: true, reasoning: false },
      { ...model('v'), jobs: ['chat', 'completion'] as const },
    ];
    assert.deepEqual(readCachedModels(throughJson(toModelsFile({ source, fetchedAt: 7, models }))), {
      source,
      fetchedAt: 7,
      models,
    });
    const picks = { pins: [chat], defaults: { chat, rerank }, look: { at: 3, ids: [chat] } };
    assert.deepEqual(readPicks(throughJson(toPicksFile(picks))), picks);
  });

  it('is treated as missing if it is unreadable', () => {
    assert.equal(readCachedModels({ version: 2, source, fetchedAt: 7, models: [] }), undefined);
    assert.equal(readCachedModels([]), undefined);
    const odd = {
      version: 1,
      source,
      fetchedAt: 7,
      models: [{ id: chat, subTypes: ['chat', 'dance'] }, { name: 'no id' }, null],
    };
    assert.deepEqual(readCachedModels(odd)?.models, [model(chat, ['chat'])]);
    assert.equal(readPicks('text'), undefined);
    assert.deepEqual(readPicks({ version: 1, pins: [1, chat], defaults: { chat: 4, dance: 'x' }, look: {} }), {
      pins: [chat],
      defaults: {},
    });
  });
});
