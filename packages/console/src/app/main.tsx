import "../styles/base.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { Fault } from "./fault.tsx";

// The client of the service retries by itself, with the pauses that the service asks for.
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, gcTime: 10 * 60_000 }, mutations: { retry: false } },
});

const root = document.getElementById("console");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Fault>
        <QueryClientProvider client={queries}>
          <App />
        </QueryClientProvider>
      </Fault>
    </StrictMode>,
  );
}
