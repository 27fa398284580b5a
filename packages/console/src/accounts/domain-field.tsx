import { useState } from "react";
import { TagField } from "../parts/fields.tsx";
import { typedDomain } from "./typed-brand.ts";

interface DomainFieldProps {
  readonly hint: string;
  readonly placeholder: string;
  readonly values: readonly string[];
  readonly onChange: (domains: readonly string[]) => void;
}

/**
 * Domains. An address that is pasted becomes its domain, and the field says so; one that is typed
 * without `https://` may narrow a domain to a path.
 */
export function DomainField({ hint, placeholder, values, onChange }: DomainFieldProps) {
  const [said, setSaid] = useState("");
  const change = (given: readonly string[]) => {
    const notes: string[] = [];
    const domains = given.flatMap((text) => {
      if (values.includes(text)) return text;
      const typed = typedDomain(text);
      if (typed === null) {
        notes.push(`“${text}” is not a domain: one has a dot, such as acme.com.`);
        return [];
      }
      const isNarrowed = !text.includes("://") && !text.includes("@") && text.includes("/");
      if (isNarrowed) return text.toLowerCase().startsWith("www.") ? text.slice(4) : text;
      if (typed.note !== null) notes.push(typed.note);
      return typed.domain;
    });
    setSaid(notes.join(" "));
    onChange([...new Set(domains)]);
  };
  return (
    <TagField
      label="Domains"
      hint={
        <>
          <span role="status">{said === "" ? "" : `${said} `}</span>
          {hint}
        </>
      }
      placeholder={placeholder}
      values={values.map((name) => ({ name, caseSensitive: false }))}
      onChange={(names) => change(names.map(({ name }) => name))}
    />
  );
}
