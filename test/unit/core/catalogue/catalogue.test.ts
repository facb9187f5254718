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

describe('gathering the model list', () => {
  it('asks for the whole list and for every filter at once', async () => {
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

  it('keeps the order of the service and tells each model by the filters that named it', async () => {
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

  it('appends what only a filter names', async () => {
    const { models } = await gatherModels(service({ chat: [chat, 'hidden/one'] }, [chat]), filtered);
    assert.deepEqual(
      models.map(({ id }) => id),
      [chat, 'hidden/one'],
    );
  });

  it('learns nothing from a server that answers every filter with everything', async () => {
    const { models } = await gatherModels(async () => [{ id: 'a/b' }, { id: 'c' }], filtered);
    assert.deepEqual(models, [model('a/b'), model('c')]);
  });

  it('believes a filter that names every model when the other filters do not', async () => {
    const { models } = await gatherModels(service({ chat: [chat], text: [chat] }, [chat]), filtered);
    assert.deepEqual(models, [model(chat, ['chat'], ['text'])]);
  });

  it('keeps what was known by a filter that failed this time', async () => {
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

  it('lives on the filters when only the whole list fails', async () => {
    const { models } = await gatherModels(async (filter) => {
      if (!filter.type && !filter.subType) throw new Error('504');
      return service(filters, everything)(filter);
    }, filtered);
    assert.ok(models.some(({ id }) => id === chat));
  });

  it('fails with the error of the whole list when nothing was answered', async () => {
    const failing = gatherModels(async (filter) => {
      throw new Error(filter.subType ?? filter.type ?? 'whole');
    }, filtered);
    await assert.rejects(failing, { message: 'whole' });
  });
});

describe('names and groups of models', () => {
  it('takes ids apart, with a tier in front or no vendor at all', () => {
    assert.deepEqual(nameOf(chat), { vendor: 'Qwen', name: 'Qwen3-32B', tier: undefined });
    assert.deepEqual(nameOf(pro), { vendor: 'deepseek-ai', name: 'DeepSeek-V3', tier: 'Pro' });
    assert.deepEqual(nameOf(stray, 'library'), { vendor: 'library', name: stray, tier: undefined });
    assert.deepEqual(nameOf('/models/a.gguf', ''), {
      vendor: undefined,
      name: '/models/a.gguf',
      tier: undefined,
    });
  });

  it('groups by sub-type, then by type, and puts what no filter names under other', async () => {
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

  it('finds models by words of id, owner and group in any order and case', async () => {
    const models = await gathered();
    const found = (query: string) => searchModels(models, query).map(({ id }) => id);
    assert.deepEqual(found('v3 DEEPSEEK'), [pro]);
    assert.deepEqual(found('reranker'), [rerank]);
    assert.deepEqual(found('nothing like it'), []);
    assert.equal(found('  ').length, everything.length);
  });
});

describe('models for a job', () => {
  it('offers a model only where its sub-type fits', async () => {
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

  it('offers every model for every job when nothing tells of any, and chooses none', () => {
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

  it('offers a model of which nothing is known for a chat and a completion, after those that are known', () => {
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

  it('chooses the default, else the first pinned, else the first of the list', async () => {
    const models = await gathered();
    const choose = (pins: readonly string[], chosen?: string) =>
      chooseModel('chat', { models, pins, defaults: chosen ? { chat: chosen } : {} });
    assert.equal(choose([]), pro);
    assert.equal(choose([rerank, chat]), chat);
    assert.equal(choose([chat], pro), pro);
    assert.equal(choose([chat], 'gone/model'), chat);
  });

  it('keeps to the default while no list is known', () => {
    assert.equal(chooseModel('chat', { models: [], pins: [], defaults: { chat } }), chat);
  });
});

describe('changes since the last look', () => {
  it('names what came and what went, and nothing at the first look', async () => {
    const models = await gathered();
    assert.equal(changesSince(undefined, models).appeared.size, 0);
    const { appeared, vanished } = changesSince({ at: 1, ids: ['old/one', chat, pro] }, models);
    assert.deepEqual([...appeared], [rerank, painter, speaker, stray]);
    assert.deepEqual(vanished, ['old/one']);
  });
});

describe('nearest ids', () => {
  const ids = [chat, pro, rerank, painter, 'deepseek-ai/DeepSeek-V3', 'deepseek-ai/DeepSeek-R1'];

  it('finds slips of the finger, of case and of the vendor', () => {
    assert.equal(nearestIds('Qwen/Qwen3-23B', ids)[0], chat);
    assert.equal(nearestIds('qwen/qwen3-32b', ids)[0], chat);
    assert.equal(nearestIds('Qwen3-32B', ids)[0], chat);
    assert.equal(nearestIds('deepseek/DeepSeek-V3', ids)[0], 'deepseek-ai/DeepSeek-V3');
    assert.equal(nearestIds('bge-reranker', ids)[0], rerank);
  });

  it('names at most as many as asked, never the id itself, and nothing that is not alike', () => {
    assert.equal(nearestIds('DeepSeek-V3', ids, 2).length, 2);
    assert.ok(!nearestIds(chat, ids).includes(chat));
    assert.deepEqual(nearestIds('zzzzzz', ids), []);
    assert.deepEqual(nearestIds(' ', ids), []);
  });
});

describe('the catalogue on disk', () => {
  const source = 'https://api.example.com/v1';
  const throughJson = (value: object): unknown => JSON.parse(JSON.stringify(value));

  it('comes back as it was written', async () => {
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

  it('takes what it cannot read as not there', () => {
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
