"""What people do with answers: free functions."""
