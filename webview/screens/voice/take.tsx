import type { TakeStep, VoiceTake } from '../../../src/protocol/voice';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import { Player } from './player';
import type { ShownVoice } from './voiceContext';

interface TakeProps {
  readonly shown: ShownVoice;
  readonly take: VoiceTake;
  readonly isNew: boolean;
}

/** A clip of the voice: to play, use and compare. */
export function Take({ shown, take, isNew }: TakeProps) {
  const { session, strings } = shown;
  const isChosen = session.chosen.value.includes(take.id);
  return (
    <li class={isChosen ? 'voice-take voice-take-chosen' : 'voice-take'} data-take={take.id}>
      <p class="voice-take-text few-lines" dir="auto" title={take.text}>
        {take.text}
      </p>
      <Player
        src={take.src}
        label={fill(strings.playTake, take.text.slice(0, 60))}
        cannotPlay={strings.cannotPlay}
        openOutside={{ label: strings.openOutside, run: () => session.doWithTake(take.id, 'openOutside') }}
      />
      <div class="voice-take-foot">
        <p class="voice-muted voice-take-facts">
          {isNew && <span class="voice-new">{strings.newTake}</span>}
          <span title={take.at}>{take.age}</span>
          {take.facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          {take.cost && <span title={take.cost.hint}>{take.cost.text}</span>}
          {take.settings.map(({ name, value }) => (
            <span key={name}>
              {name} {value}
            </span>
          ))}
        </p>
        <Actions shown={shown} take={take} isChosen={isChosen} />
      </div>
    </li>
  );
}

function Actions({ shown, take, isChosen }: Omit<TakeProps, 'isNew'> & { readonly isChosen: boolean }) {
  const { session, strings, openMenu } = shown;
  const step = (name: TakeStep) => () => session.doWithTake(take.id, name);
  const words = take.text.slice(0, 60);
  const more = [
    { label: strings.takeUse, run: step('use') },
    { label: strings.takeAgain, run: step('again') },
    { label: strings.takeTranscribe, run: () => session.transcribe(take.id) },
    { label: strings.takeInsert, run: step('insert') },
    { label: strings.takeSaveAs, run: step('saveAs') },
    { label: strings.takeReveal, run: step('reveal') },
    { label: strings.takeRecipe, run: step('recipe') },
    { label: strings.takeRemove, run: step('remove') },
  ];
  return (
    <span class="voice-take-actions">
      <label class="check voice-take-compare">
        <input
          type="checkbox"
          aria-label={fill(strings.compareTake, words)}
          checked={isChosen}
          onChange={({ currentTarget }) => session.choose(take.id, currentTarget.checked)}
        />
        {strings.compare}
      </label>
      <IconButton icon="refresh" label={strings.takeAgain} onClick={step('again')} />
      <IconButton icon="save-as" label={strings.takeSaveAs} onClick={step('saveAs')} />
      <button
        type="button"
        class="icon-button"
        title={fill(strings.takeMore, words)}
        aria-label={fill(strings.takeMore, words)}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={({ currentTarget }) => openMenu(currentTarget, more)}
      >
        <Icon name="ellipsis" />
      </button>
    </span>
  );
}
