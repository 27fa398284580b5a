import { useState } from "react";
import { mailLink } from "../data/joining.ts";
import { Button } from "../parts/button.tsx";
import css from "./sign-in.module.css";

/** Has a link mailed that signs in once. */
export function MailLink() {
  const [email, setEmail] = useState("");
  const [told, setTold] = useState<string | null>(null);
  const send = async () => {
    try {
      await mailLink(email.trim());
      setTold("If somebody is known here by this address, a link is on its way.");
    } catch (error) {
      setTold(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form
      className={css["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label htmlFor="email">E-mail address</label>
      <input
        id="email"
        className={css["words"]}
        type="email"
        required
        autoComplete="email"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Button type="submit">Mail me a link</Button>
      {told === null ? null : <p role="status">{told}</p>}
    </form>
  );
}
