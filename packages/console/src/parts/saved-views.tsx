import { useScope } from "../data/account.ts";
import { useKeeping } from "../data/kept.ts";
import { openSaved, savedText } from "../data/use-view.ts";
import { KeptForm, KeptList } from "./kept-list.tsx";

interface SavedViewsProps {
  readonly views: readonly { readonly name: string; readonly view: string }[];
  readonly close: () => void;
}

/** The views that the account keeps, and a form that keeps the one that is shown. */
export function SavedViews({ views, close }: SavedViewsProps) {
  const mayManage = useScope("manage");
  const { keep, failure, isRunning } = useKeeping();
  const without = (name: string) =>
    keep((now) => ({ views: now.views.filter((each) => each.name !== name) }));
  const save = (form: FormData, onKept: () => void) => {
    const name = String(form.get("name")).trim();
    const view = savedText();
    keep(({ views: now }) => {
      return { views: [...now.filter((each) => each.name !== name), { name, view }] };
    }, onKept);
  };
  return (
    <KeptList
      items={views.map(({ name, view }) => ({
        key: name,
        text: name,
        onOpen: () => {
          close();
          openSaved(view);
        },
      }))}
      nothing="No view is saved yet."
      onDelete={mayManage ? without : undefined}
      failure={failure}
    >
      {mayManage ? (
        <KeptForm label="Save this view" isRunning={isRunning} onSave={save}>
          <input
            name="name"
            required
            maxLength={100}
            aria-label="Name of this view"
            placeholder="Name of this view"
          />
        </KeptForm>
      ) : null}
    </KeptList>
  );
}
