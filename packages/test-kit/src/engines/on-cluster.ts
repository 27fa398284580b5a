// Imported first, by tasks/test alone: the test files after it run on the engines of a cluster.
process.env["SIGHTLINE_TEST_ENGINES"] = "cluster";
// A third of the usual questions: each costs a round trip to three servers.
process.env["SIGHTLINE_TEST_RUNS"] ??= "333";

export {};
