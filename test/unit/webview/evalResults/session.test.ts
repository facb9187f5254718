import { deepEqual, equal } from 'node:assert/strict';
import { HostError } from '../../../../src/protocol/caller';
import type { EvalResultsScreen, EvalView } from '../../../../src/protocol/evalResults';
import type { Host } from '../../../../webview/host';
import { EvalSession } from '../../../../webview/screens/evalResults/session';
import { betterRun, createEvalResultsHost, unclearRun } from '../../../support/evalResultsHost';

type State = EvalResultsScreen['state'];
type Calls = Readonly<Record<string, (params: unknown) => Promise<unknown>>>;

/** A session whose host answers as on the page. A call in `held` is answered once it is let go. */
function open(saved?: Partial<State>, count = 3) {
  const ours = createEvalResultsHost(betterRun, 20, count);
  const said: string[] = [];
  const told = new Map<string, (data: unknown) => void>();
  const held = new Map<string, Promise<void>>();
  const failing = new Set<string>();
  const box: { state: State | undefined; size: number } = { state: saved as State | undefined, size: count };
  const host = {
    load: () => box.state,
    save: (state: State) => (box.state = state),
    on: (name: string, take: (data: unknown) => void) => void told.set(name, take),
    async call(name: string, params: unknown) {
      await held.get(name);
      if (failing.has(name)) throw new HostError({ kind: 'user', title: 'No', detail: '', actions: [] });
      if (name === 'eval/review' && box.size === 0) return {};
      return (ours.handlers as unknown as Calls)[name]!(params);
    },
  };
  const session = new EvalSession(host as unknown as Host<EvalResultsScreen>, (text) => said.push(text));
  const hold = (name: string) => {
    let release = () => {};
    held.set(name, new Promise((resolve) => (release = resolve)));
    return () => {
      held.delete(name);
      release();
    };
  };
  const tell = (name: string, data: unknown) => told.get(name)!(data);
  return { session, review: session.review, ours, said, hold, tell, failing, box };
}

async function reviewing(count?: number, saved?: Partial<State>) {
  const opened = open(saved, count);
  await opened.session.load();
  opened.session.part.value = 'review';
  await opened.review.begin();
  return opened;
}

describe('the session of the eval results page', () => {
  it('announces a new verdict only where it is shown, so a blind review stays blind', async () => {
    const { session, said, tell } = await reviewing();
    tell('eval/changed', { ...unclearRun } satisfies EvalView);
    equal(said.includes(unclearRun.sentence), false);
    session.part.value = 'verdict';
    tell('eval/changed', betterRun);
    equal(said.at(-1), betterRun.sentence);
  });

  it("shows and announces once why the run couldn't be loaded, until it is", async () => {
    const { session, said, tell } = open();
    await session.load();
    const error = { kind: 'disk', title: 'The disk is gone', detail: '', actions: [] };
    tell('eval/failed', error);
    tell('eval/failed', { ...error });
    equal(session.lookError.peek()?.title, error.title);
    equal(said.filter((text) => text.includes(error.title)).length, 1);
    tell('eval/changed', betterRun);
    equal(session.lookError.peek(), undefined);
  });

  it('repeats the failed call for Try Again, and leaves other error actions to the host', async () => {
    const { session, ours, failing } = open();
    failing.add('eval/load');
    await session.load();
    equal(session.error.peek()?.title, 'No');
    session.actOnError('manageKey');
    equal(session.error.peek()?.title, 'No');
    failing.clear();
    session.actOnError('retry');
    await new Promise(setImmediate);
    equal(session.error.peek(), undefined);
    deepEqual(
      ours.asked.filter((one) => !one.startsWith('load')),
      ['act manageKey'],
    );
    equal(session.view.peek()?.title, betterRun.title);
  });
});

describe('a blind review on the page', () => {
  it('keeps the notes of all rows with the rows, also through a reload', async () => {
    const { review, box } = await reviewing();
    review.write('first');
    await review.move(1);
    review.write('second');
    await review.move(1);
    deepEqual(box.state?.drafts, { 'row 0': 'first', 'row 1': 'second' });
    const again = await reviewing(3, box.state);
    equal(again.review.note.peek(), 'first');
    await again.review.move(1);
    equal(again.review.note.peek(), 'second');
  });

  it('restores a note when its rating is undone', async () => {
    const { review } = await reviewing();
    review.write('because');
    await review.rate('left');
    equal(review.note.peek(), '');
    await review.undo();
    equal(review.item.peek()?.index, 0);
    equal(review.note.peek(), 'because');
  });

  it('accepts no rating until the row of a new review is loaded', async () => {
    const { review, ours, hold } = await reviewing();
    const release = hold('eval/reviewItem');
    const begun = review.begin();
    await review.rate('left');
    await review.undo();
    await review.move(-1);
    release();
    await begun;
    deepEqual(
      ours.asked.filter((one) => /^(rate|undo)/.test(one)),
      [],
    );
    await review.rate('left');
    equal(ours.asked.includes('rate 0 left'), true);
  });

  it("doesn't show a row of the earlier review", async () => {
    const { review, hold } = await reviewing();
    await review.rate('left');
    const release = hold('eval/rate');
    const rated = review.rate('right');
    await review.begin();
    release();
    await rated;
    equal(review.item.peek()?.index, 1);
  });

  it('shows that there is nothing left to review', async () => {
    const { review, box } = await reviewing();
    box.size = 0;
    await review.begin();
    deepEqual([review.isEmpty.peek(), review.item.peek(), review.progress.peek()], [true, undefined, undefined]);
  });

  it('accepts a rating while a note is being saved', async () => {
    const { review, ours, hold } = await reviewing();
    await review.rate('left');
    await review.move(-1);
    review.write('late');
    const release = hold('eval/rate');
    const stored = review.keepNote();
    const rated = review.rate('right');
    release();
    await Promise.all([stored, rated]);
    deepEqual(ours.asked.slice(-2), ['rate 0 left late', 'rate 0 right late']);
  });

  it('keeps text typed while a note is being saved', async () => {
    const { review, box, hold } = await reviewing();
    await review.rate('left');
    await review.move(-1);
    review.write('one');
    const release = hold('eval/rate');
    const stored = review.keepNote();
    await Promise.resolve();
    await Promise.resolve();
    review.write('one two');
    release();
    await stored;
    deepEqual(box.state?.drafts, { 'row 0': 'one two' });
    equal(review.note.peek(), 'one two');
  });
});
