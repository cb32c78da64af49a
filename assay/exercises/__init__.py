"""Adding exercise repositories: fetch, check, verify confined, switch."""
