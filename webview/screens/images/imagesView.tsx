import { Note } from '../../components/note';
import { FormColumn } from './formColumn';
import type { Images } from './imagesContext';
import { LargeView } from './largeView';
import { RunList } from './runList';

export function ImagesView({ images }: { readonly images: Images }) {
  return (
    <>
      <div class="images-form-side">
        <FormColumn images={images} />
      </div>
      <section class="images-results" aria-label={images.strings.results} tabIndex={-1}>
        <Notes images={images} />
        <RunList images={images} />
      </section>
      <LargeView images={images} />
    </>
  );
}

/** Errors, and notes to read before sending anything. */
function Notes({ images: { session } }: { readonly images: Images }) {
  const page = session.page.value;
  const trouble = session.trouble.value;
  const notices = [
    ...(trouble ? [{ ...trouble, tone: 'error' as const }] : []),
    ...(page?.modelsTrouble ? [{ ...page.modelsTrouble, tone: 'error' as const }] : []),
    ...(page?.notices ?? []),
  ];
  if (notices.length === 0) return null;
  return (
    <div class="images-notes">
      {notices.map(({ tone, title, detail, actions }, index) => (
        <Note key={index} tone={tone} title={title} detail={detail} actions={actions} onAct={(id) => session.act(id)} />
      ))}
    </div>
  );
}
