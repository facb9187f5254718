import { useSignal } from '@preact/signals';
import { fill } from '../../components/fill';
import { CompareTakes } from './compareTakes';
import { Take } from './take';
import type { VoiceProps } from './voiceContext';
import { Notice } from './notice';

/** The number of clips shown until the user requests all. */
const shownAtFirst = 10;

/** The clips of the voice. */
export function TakeList({ shown, view }: VoiceProps) {
  const { session, strings } = shown;
  const isWhole = useSignal(false);
  const takes = isWhole.value ? view.takes : view.takes.slice(0, shownAtFirst);
  return (
    <section class="voice-section" aria-labelledby="voice-takes">
      <h2 id="voice-takes">{strings.takesHeading}</h2>
      <Notice notice={view.takesTrouble} onAct={(id) => session.act(id)} />
      {view.takes.length === 0 && !view.takesTrouble && <p class="voice-muted">{strings.takesEmpty}</p>}
      <CompareTakes shown={shown} view={view} />
      <ol class="voice-takes">
        {takes.map((take) => (
          <Take key={take.id} shown={shown} take={take} isNew={take.id === view.newTake} />
        ))}
      </ol>
      {takes.length < view.takes.length && (
        <button type="button" class="link" onClick={() => (isWhole.value = true)}>
          {fill(strings.showAllTakes, view.takes.length)}
        </button>
      )}
    </section>
  );
}
