import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ChatSession } from '../../../../src/features/chat/logic/chatSession';
import { canFill, fillUnder } from '../../../support/fullDisk';
import { setUpChat, open, text, ended } from './chatRig';
import { createPage } from './followingPage';

describe('a chat session whose disk fills up during an answer', () => {
  const rig = setUpChat();
  beforeEach(function () {
    if (!canFill) this.skip();
  });

  const unsavedIn = async (session: ChatSession) => (await session.snapshot()).unsaved?.title;
  const nextNews = () =>
    new Promise<string>((resolve) => {
      const listening = rig.engine.pool.onDidChangeUnsaved((id) => {
        listening.dispose();
        resolve(id);
      });
    });
  /** An answer that has begun, and the full disk under it. */
  const begin = async () => {
    const session = rig.openWindow();
    const { id } = await session.ask('Why?', 'm');
    const page = createPage(session, id);
    await rig.service.asked;
    rig.service.say(open(), text('Paid '));
    await page.shows('Paid ');
    const disk = fillUnder(join(rig.folder, `${rig.current}.jsonl`));
    const news = nextNews();
    rig.service.say(text('for'));
    return { session, turnId: id, page, disk, news };
  };
  const wordsOnDisk = async (id: string, turnId: string) =>
    (await rig.transcript(id))
      .turn(turnId)
      ?.answers[0]?.blocks.map((block) => block.text)
      .join('');

  it('reports it while the answer continues, and saves the complete answer once there is space', async () => {
    const { session, turnId, page, disk, news } = await begin();
    await news;
    assert.equal(await unsavedIn(session), "The response isn't saved");
    assert.ok(rig.engine.answers.isAnswering(rig.current ?? ''));
    rig.service.say(text(' words'), ...ended());
    const answer = await page.answer;
    assert.deepEqual([answer.state, answer.blocks[0]?.text], ['done', 'Paid for words']);
    assert.equal(await session.unsavedText(), 'Paid for words');
    await session.save();
    assert.equal(await unsavedIn(session), "The response still isn't saved");
    await disk.makeRoom();
    await session.save();
    assert.equal(await unsavedIn(session), undefined);
    assert.equal(await wordsOnDisk(rig.current ?? '', turnId), 'Paid for words');
    assert.equal((await rig.transcript()).turn(turnId)?.answers[0]?.end?.state, 'done');
  });

  it('keeps it in memory during another question and another conversation', async () => {
    const { session, turnId, page, disk, news } = await begin();
    await news;
    const id = rig.current ?? '';
    rig.service.say(...ended());
    await page.answer;
    await assert.rejects(session.ask('And?', 'm'), /Couldn't save the question/);
    assert.equal(rig.service.requests.length, 1);
    await session.startNew();
    assert.equal(await unsavedIn(session), undefined);
    assert.equal(rig.engine.pool.unsavedOf(id)?.answers.size, 1);
    await session.openConversation(id);
    assert.equal(await unsavedIn(session), "The response isn't saved");
    assert.equal((await session.snapshot()).turns[0]?.answer.blocks[0]?.text, 'Paid for');
    await disk.makeRoom();
    await session.startNew();
    assert.equal(rig.engine.pool.unsavedOf(id), undefined);
    assert.equal(await wordsOnDisk(id, turnId), 'Paid for');
  });

  it('writes it with the next question if there is space, and at the end of the window', async () => {
    const { session, turnId, page, disk, news } = await begin();
    await news;
    rig.service.say(...ended());
    await page.answer;
    await disk.makeRoom();
    rig.service.awaitNext();
    const reported = nextNews();
    await session.ask('And?', 'm');
    assert.equal(await reported, rig.current);
    assert.equal(await unsavedIn(session), undefined);
    assert.equal(await wordsOnDisk(rig.current ?? '', turnId), 'Paid for');
    await rig.engine.dispose();
    const turns = (await rig.transcript()).turns();
    assert.deepEqual(
      turns.map(({ question }) => question),
      ['Why?', 'And?'],
    );
  });

  it("allows a conversation to be deleted that isn't completely saved", async () => {
    const { session, page, news } = await begin();
    await news;
    const id = rig.current ?? '';
    rig.service.say(...ended());
    await page.answer;
    await session.startNew();
    await rig.engine.pool.closed(id);
    assert.equal(rig.engine.pool.unsavedOf(id), undefined);
  });

  it('reports side-by-side answers as unsaved, and has the text of each', async () => {
    const session = rig.openWindow();
    const { id: turnId } = await session.comparisons.ask('Why?', ['m/one', 'm/two'], []);
    const disk = fillUnder(join(rig.folder, `${rig.current}.jsonl`));
    while (rig.service.requests.length < 2) {
      rig.service.awaitNext();
      await rig.service.asked;
    }
    const columns = (await session.snapshot()).turns[0]?.comparison?.columns ?? [];
    const follow = (tryId: string) =>
      session.follow({ turnId, tryId, have: [] }, { signal: new AbortController().signal, emit: () => {} });
    const answers = Promise.all(columns.map(({ tryId }) => follow(tryId)));
    for (const model of ['m/one', 'm/two']) rig.service.sayTo(model, open(), text(`Said by ${model}`), ...ended());
    assert.deepEqual(
      (await answers).map(({ state }) => state),
      ['done', 'done'],
    );
    assert.equal(await unsavedIn(session), "The responses aren't saved");
    assert.equal(await session.unsavedText(), '## m/one\n\nSaid by m/one\n\n## m/two\n\nSaid by m/two');
    await session.comparisons.pick(turnId, columns[0]?.tryId ?? '');
    await disk.makeRoom();
    await session.save();
    assert.equal(await unsavedIn(session), undefined);
  });
});
