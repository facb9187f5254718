import * as l10n from '@vscode/l10n';
import type { TakeStep, VoiceTake } from '../../../src/protocol/voice';
import { IconButton, MoreButton } from '../../components/iconButton';
import { Player } from './player';
import type { VoiceSession } from './session';

interface TakeProps {
  readonly session: VoiceSession;
  readonly take: VoiceTake;
  readonly isNew: boolean;
}

/** A clip of the voice: to play, use and compare. */
export function Take({ session, take, isNew }: TakeProps) {
  const isChosen = session.chosen.value.includes(take.id);
  return (
    <li class={isChosen ? 'voice-take voice-take-chosen' : 'voice-take'} data-take={take.id}>
      <p class="voice-take-text few-lines" dir="auto" title={take.text}>
        {take.text}
      </p>
      <Player
        src={take.src}
        label={l10n.t('Play {0}', take.text.slice(0, 60))}

        openOutside={() => session.doWithTake(take.id, 'openOutside')}
      />
      <div class="voice-take-foot">
        <p class="voice-muted voice-take-facts">
          {isNew && <span class="voice-new">{l10n.t('New')}</span>}
          <span title={[take.at, ...take.ids].join('\n')}>{take.age}</span>
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
        <Actions session={session} take={take} isChosen={isChosen} />
      </div>
    </li>
  );
}

function Actions({ session, take, isChosen }: Omit<TakeProps, 'isNew'> & { readonly isChosen: boolean }) {
  const step = (name: TakeStep) => () => session.doWithTake(take.id, name);
  const words = take.text.slice(0, 60);
  const more = [
    { label: l10n.t('Use Text and Settings'), run: step('use') },
    { label: l10n.t('Regenerate'), run: step('again') },
    ...(session.view.value?.canTranscribe
      ? [{ label: l10n.t('Transcribe'), run: () => session.transcribe(take.id) }]
      : []),
    { label: l10n.t('Insert at Cursor…'), run: step('insert') },
    { label: l10n.t('Save As…'), run: step('saveAs') },
    { label: l10n.t('Open Containing Folder'), run: step('reveal') },
    { label: l10n.t('Show Details'), run: step('recipe') },
    { label: l10n.t('Delete…'), run: step('remove') },
  ];
  return (
    <span class="voice-take-actions">
      <label class="check voice-take-compare">
        <input
          type="checkbox"
          aria-label={l10n.t('Compare {0}', words)}
          checked={isChosen}
          onChange={({ currentTarget }) => session.choose(take.id, currentTarget.checked)}
        />
        {l10n.t('Compare')}
      </label>
      <IconButton icon="refresh" label={l10n.t('Regenerate')} onClick={step('again')} />
      <IconButton icon="save-as" label={l10n.t('Save As…')} onClick={step('saveAs')} />
      <MoreButton label={l10n.t('More Actions for {0}', words)} onOpen={(button) => session.openMenu(button, more)} />
    </span>
  );
}
